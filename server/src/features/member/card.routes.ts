import * as applications from '@aisle/contract/member/cardApplication'
import { issueCards } from '@aisle/contract/member/cardIssue'
import * as contract from '@aisle/contract/member/cardTransaction'
import * as verbs from '@aisle/contract/member/cardVerb'
import { getCard, listCards, previewTopUp, topUpCard } from '@aisle/contract/member/memberCard'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as cards from './card.reads'
import * as applying from './cardApplication.commands'
import { findApplication, listApplicationsIn } from './cardApplication.reads'
import * as ends from './cardEnd.commands'
import { issue } from './cardIssue.commands'
import * as lists from './cardTransaction.reads'
import { activate, bind, move, setLimits, unbind } from './cardVerb.commands'
import { reversalPreview, reverse } from './reversal.commands'
import { topUp, topUpPreview } from './topUp.commands'

export const routes: Route[] = [
  ...listOf(listCards, (ctx, input) => cards.listCardsIn(sightOf(ctx.actor), input)),
  query(getCard, async (ctx, { id }) => existing(await cards.findCardDetail(ctx.db, sightOf(ctx.actor), id))),
  command(issueCards, issue),
  command(verbs.activateCard, activate),
  command(verbs.bindCard, bind),
  command(verbs.unbindCard, unbind),
  command(verbs.lockCard, move('lock')),
  command(verbs.unlockCard, move('unlock')),
  command(verbs.reportLostCard, move('reportLost')),
  command(verbs.recoverCard, move('recover')),
  command(verbs.keepCard, move('keep')),
  command(verbs.setCardLimits, setLimits),
  command(verbs.replaceCard, ends.replace),
  command(verbs.cancelCard, ends.cancel),
  command(verbs.payOutCard, ends.payOut),
  query(verbs.previewPayOut, ends.payOutPreview),
  query(previewTopUp, topUpPreview),
  command(topUpCard, topUp),
  ...listOf(contract.listTopUps, ({ actor }, input) => lists.listTopUpsIn(sightOf(actor), actor.userId, input)),
  query(contract.previewReversal, reversalPreview),
  command(contract.reverseTopUp, reverse),
  ...listOf(contract.listDeductions, (ctx, input) => lists.listDeductionsIn(sightOf(ctx.actor), input)),
  ...listOf(applications.listApplications, listApplicationsIn),
  query(applications.getApplication, async (ctx, { id }) => existing(await findApplication(ctx, id))),
  command(applications.applyForCard, applying.apply),
  command(applications.applyForReplacement, applying.applyForReplacement),
  command(applications.approveApplication, applying.approve),
  command(applications.refuseApplication, applying.refuseIt),
  command(applications.withdrawApplication, applying.withdraw),
  command(applications.issueApplied, applying.issueApplied),
  ...listOf(contract.listCardLog, (ctx, input) => lists.listCardLogIn(sightOf(ctx.actor), input)),
]
