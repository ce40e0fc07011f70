import * as records from '@aisle/contract/settlement/split'
import * as receivers from '@aisle/contract/settlement/splitReceiver'
import * as rules from '@aisle/contract/settlement/splitRule'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { addReceiver, bind, unbind } from './receiver.commands'
import { findReceiver, listReceiversIn } from './receiver.reads'
import { listByDay, listByReceiver, tie } from './report.reads'
import { addRule, endRule, takeBackRule } from './rule.commands'
import { preview } from './rule.preview'
import { findSplitRule, listRulesIn } from './rule.reads'
import * as verbs from './split.commands'
import { findSplit, listReturnsIn, listSplitsIn } from './split.reads'

export const routes: Route[] = [
  ...listOf(receivers.listSplitReceivers, listReceiversIn),
  query(receivers.getSplitReceiver, findReceiver),
  command(receivers.addSplitReceiver, addReceiver),
  command(receivers.bindSplitReceiver, bind),
  command(receivers.unbindSplitReceiver, unbind),
  ...listOf(rules.listSplitRules, listRulesIn),
  query(rules.getSplitRule, async (ctx, { id }) => existing(await findSplitRule(ctx, id))),
  query(rules.previewSplitRule, preview),
  command(rules.addSplitRule, addRule),
  command(rules.endSplitRule, endRule),
  command(rules.takeBackSplitRule, takeBackRule),
  ...listOf(records.listSplits, listSplitsIn),
  query(records.tieSplits, tie),
  query(records.getSplit, findSplit),
  command(records.sendSplitAgain, verbs.sendAgain),
  command(records.releaseSplitLine, verbs.release),
  command(records.approveSplitRelease, verbs.approveRelease),
  command(records.refuseSplitRelease, verbs.refuseRelease),
  ...listOf(records.listSplitsByReceiver, listByReceiver),
  ...listOf(records.listSplitsByDay, listByDay),
  ...listOf(records.listSplitReturns, listReturnsIn),
  command(records.writeOffSplitReturn, verbs.writeOff),
]
