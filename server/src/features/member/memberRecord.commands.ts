import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { cardState } from '@aisle/contract/member/card'
import { memberState } from '@aisle/contract/member/member'
import type { addMember, editMember, eraseMember, recordConsent } from '@aisle/contract/member/memberRecord'
import { memberEditable } from '@aisle/contract/member/memberRecord'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { stateful, statesIn } from '../../kernel/states'
import { soundOf } from '../catalog/public'
import { forgetApplications } from './cardApplication.commands'
import { holdOwned } from './member.store'
import { loggedOf, needsGuardian } from './member.rules'

type Row = Selectable<Tables['member']>
type Typed = Pick<InputOf<typeof addMember>, keyof typeof memberEditable>

/** @throws Refusal member.state */
const members = stateful('member', 'state', memberState, {
  versioned: true,
  refuse: (row: { id: number }) => refuse('member.state', { number: String(row.id) }),
})

export async function add(ctx: CommandContext, input: InputOf<typeof addMember>) {
  const { merchantId, number, consentedBy, ...typed } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  await refuseWrong(ctx, merchantId, typed)
  refuseUnguarded(ctx, typed.birthday, consentedBy)
  const insert = ctx.tx
    .insertInto('member')
    .values({
      ...typed,
      sound: soundOf(typed.name),
      number: number || sql<string>`'M' || lpad(nextval('member_number')::text, 8, '0')`,
      merchantId,
      registeredAt: ctx.now(),
      ...consentOf(ctx, consentedBy),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await refusedBy('member_number_key', insert, () => refusal('member.numberTaken', { number }))
  await sql`insert into member_merchant (member_id, merchant_id, linked_at, linked_by)
    values (${id}, ${merchantId}, ${ctx.now()}, ${ctx.actor.userId})`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, null, { ...typed, consentedBy })
  return { id }
}

export async function edit(ctx: CommandContext, { id, version, ...typed }: InputOf<typeof editMember>) {
  const row = await load(ctx, id)
  if (!memberState.is(row.state, 'known')) refuse('member.state', { number: row.number })
  const before = typedOf(row)
  refuseStale(ctx, { version }, row, before, typed)
  await refuseWrong(ctx, row.merchantId, typed)
  await ctx.tx
    .updateTable('member')
    .set({ ...typed, sound: soundOf(typed.name), version: row.version + 1 })
    .where('id', '=', id)
    .execute()
  await audit(ctx, row, before, typed)
  return { id }
}

export const move = (verb: 'stop' | 'resume') =>
  async function moveMember(ctx: CommandContext, { id }: { id: number }) {
    const row = await load(ctx, id)
    const state = await members.move(ctx.tx, row, verb)
    await audit(ctx, row, { state: row.state }, { state })
    return { id, state }
  }

export async function consent(ctx: CommandContext, { id, consentedBy }: InputOf<typeof recordConsent>) {
  const row = await load(ctx, id)
  if (!memberState.is(row.state, 'known')) refuse('member.state', { number: row.number })
  refuseUnguarded(ctx, row.birthday, consentedBy)
  await ctx.tx
    .updateTable('member')
    .set({ ...consentOf(ctx, consentedBy), version: row.version + 1 })
    .where('id', '=', id)
    .execute()
  await audit(ctx, row, { consentedBy: row.consentedBy }, { consentedBy })
  return { id }
}

/** What tells who it is goes; number, ties, cards, orders and the money stay. The database keeps it forgotten. */
export async function erase(ctx: CommandContext, { id, number }: InputOf<typeof eraseMember>) {
  const row = await load(ctx, id)
  members.must(row, 'erase')
  if (number !== row.number) refuse('member.otherNumber', { number: row.number })
  const held = await sql<{ number: string }>`select logical_no as number from member_card
    where member_id = ${id} and state in ${statesIn(cardState, 'uncancelled')} order by logical_no limit 5`.execute(
    ctx.tx,
  )
  if (held.rows.length > 0) refuse('member.hasCards', { cards: held.rows.map((each) => each.number).join(', ') })
  await forgetApplications(ctx.tx, id)
  await sql`update member_merchant set unlinked_at = greatest(${ctx.now()}, linked_at),
      unlinked_by = ${ctx.actor.userId}
    where member_id = ${id} and unlinked_at is null`.execute(ctx.tx)
  const state = await members.move(ctx.tx, row, 'erase', {
    name: '',
    sound: '',
    phone: '',
    address: '',
    parentName: '',
    region: '',
    birthday: null,
    tags: [],
    unitId: null,
    consentedBy: null,
    consentedAt: null,
    erasedAt: ctx.now(),
  })
  await audit(ctx, row, { state: row.state }, { state })
  return { id, state }
}

/** Only who sees the merchant that it registered with changes a member. */
const load = (ctx: CommandContext, id: number): Promise<Row> => holdOwned(ctx, 'member', id)

const typedOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.keys(memberEditable).map((name) => [name, row[name as keyof Row]]))

const todayOf = (ctx: CommandContext) => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

async function refuseWrong(ctx: CommandContext, merchantId: number, { birthday, unitId }: Typed): Promise<void> {
  if (birthday !== null && birthday > todayOf(ctx)) refuse('member.bornLater')
  if (unitId === null) return
  const unit = await sql`select 1 from member_unit where id = ${unitId} and merchant_id = ${merchantId}`.execute(ctx.tx)
  if (unit.rows.length === 0) refuse('request.notFound')
}

type Giver = InputOf<typeof recordConsent>['consentedBy']

function refuseUnguarded(ctx: CommandContext, birthday: string | null, giver: Giver): void {
  if (giver === 'self' && needsGuardian(birthday, todayOf(ctx))) refuse('member.guardian')
}

const consentOf = (ctx: CommandContext, consentedBy: Giver) => ({
  consentedBy,
  consentedAt: consentedBy === null ? null : ctx.now(),
})

type Facts = Record<string, unknown>

function audit(
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  was: Facts | null,
  is: Facts,
): Promise<void> {
  return ctx.audit({ merchantId, objectKind: 'member', objectId: id, ...loggedOf(was, is) })
}
