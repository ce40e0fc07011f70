import { isGranted } from '@aisle/contract/identity/permissions'
import {
  getMember,
  linkMembers,
  listMembers,
  maskedPhone,
  moveMembers,
  unlinkMembers,
} from '@aisle/contract/member/member'
import { getCard, listCards, previewTopUp, topUpCard } from '@aisle/contract/member/memberCard'
import type { QueryContext } from '../../kernel/context'
import { mapRows } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as cards from './card.reads'
import { link, move, unlink } from './member.commands'
import { findDetail, listMembersIn } from './member.reads'
import { topUp, topUpPreview } from './topUp.commands'

export const routes: Route[] = [
  ...listOf(listMembers, (ctx, input) =>
    mapRows(listMembersIn(sightOf(ctx.actor), input), (rows) => rows.map((member) => shownTo(ctx, member))),
  ),
  query(getMember, async (ctx, { id }) => {
    const found = existing(await findDetail(ctx.db, sightOf(ctx.actor), id))
    return shownTo(ctx, found)
  }),
  command(linkMembers, link),
  command(unlinkMembers, unlink),
  command(moveMembers, move),
  ...listOf(listCards, (ctx, input) => cards.listCardsIn(sightOf(ctx.actor), input)),
  query(getCard, async (ctx, { id }) => {
    return existing(await cards.findDetail(ctx.db, sightOf(ctx.actor), id))
  }),
  query(previewTopUp, topUpPreview),
  command(topUpCard, topUp),
]

/** Whoever only reads members has no use for whole phone numbers. */
const shownTo = <M extends { phone: string }>(ctx: QueryContext, member: M): M =>
  isGranted(ctx.actor.grants, 'member.write') ? member : { ...member, phone: maskedPhone(member.phone) }
