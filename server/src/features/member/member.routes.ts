import { isGranted } from '@aisle/contract/identity/permissions'
import {
  getMember,
  linkMembers,
  listMembers,
  maskedPhone,
  moveMembers,
  summariseMembers,
  unlinkMembers,
} from '@aisle/contract/member/member'
import * as record from '@aisle/contract/member/memberRecord'
import type { QueryContext } from '../../kernel/context'
import { mapRows } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { link, move, unlink } from './member.commands'
import { countMembers, findMemberDetail, listMembersIn } from './member.reads'
import * as commands from './memberRecord.commands'

export const routes: Route[] = [
  ...listOf(listMembers, (ctx, input) =>
    mapRows(listMembersIn(sightOf(ctx.actor), input), (rows) => rows.map((member) => shownTo(ctx, member))),
  ),
  query(summariseMembers, (ctx) => countMembers(ctx.db, sightOf(ctx.actor))),
  query(getMember, async (ctx, { id }) => {
    const found = existing(await findMemberDetail(ctx.db, sightOf(ctx.actor), id))
    return shownTo(ctx, found)
  }),
  command(record.addMember, commands.add),
  command(record.editMember, commands.edit),
  command(record.stopMember, commands.move('stop')),
  command(record.resumeMember, commands.move('resume')),
  command(record.recordConsent, commands.consent),
  command(record.eraseMember, commands.erase),
  command(linkMembers, link),
  command(unlinkMembers, unlink),
  command(moveMembers, move),
]

/** Whoever only reads members has no use for whole phone numbers or days of birth. */
const shownTo = <M extends { phone: string; birthday: string | null }>(ctx: QueryContext, member: M): M =>
  isGranted(ctx.actor.grants, 'member.write') ? member : { ...member, phone: maskedPhone(member.phone), birthday: null }
