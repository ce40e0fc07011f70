import type { addFlowCard, bindFlowCard, editFlowCard, setFlowLimit } from '@aisle/contract/fleet/flowCard'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { type CardRow, findForUpdate } from './flowCard.reads'

type Changed = { id: number }
type Wanted = Omit<InputOf<typeof editFlowCard>, 'id' | 'version'>

export async function add(ctx: CommandContext, input: InputOf<typeof addFlowCard>): Promise<Changed> {
  const { merchantId, iccid, ...wanted } = input
  const made = await refusedBy(
    'flow_card_iccid_key',
    sql<Changed>`insert into flow_card (merchant_id, iccid, ${columns}, created_at)
      select c.id, ${iccid}, ${valuesOf(wanted)}, ${ctx.now()} from merchant c
      where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)} returning id`.execute(ctx.tx),
    () => refusal('flowCard.taken', { iccid }),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await audit(ctx, { id, merchantId }, null, { iccid, ...wanted })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editFlowCard>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const card = await load(ctx, id)
  const before = editableOf(card)
  refuseStale(ctx, { version }, card, before, wanted)
  await sql`update flow_card set (${columns}) = row(${valuesOf(wanted)}), version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, card, before, wanted)
  return { id }
}

/** The counter of the machine that it was in goes: what it says next belongs to another card. */
export async function bind(ctx: CommandContext, { id, machineId }: InputOf<typeof bindFlowCard>): Promise<Changed> {
  const card = await load(ctx, id)
  const found = await sql<{ code: string; isBelow: boolean; isRetired: boolean }>`
    select m.code, c.path @> array[${card.merchantId}]::bigint[] as "isBelow", m.retired_at is not null as "isRetired"
    from machine m join merchant c on c.id = m.merchant_id
    where m.id = ${machineId} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  const machine = found.rows[0] ?? refuse('request.notFound')
  if (!machine.isBelow || machine.isRetired) refuse('flowCard.otherMerchant', { code: machine.code })
  await refusedBy(
    'flow_card_machine_id_key',
    sql`update flow_card set machine_id = ${machineId}, version = version + 1 where id = ${id}`.execute(ctx.tx),
    () => refusal('flowCard.machineTaken', { code: machine.code }),
  )
  if (card.machineId !== machineId) await sql`delete from flow_counter where card_id = ${id}`.execute(ctx.tx)
  await audit(ctx, card, { machineId: card.machineId }, { machineId, machine: machine.code })
  return { id }
}

export async function release(ctx: CommandContext, id: number): Promise<Changed> {
  const card = await load(ctx, id)
  if (card.machineId === null) refuse('flowCard.unbound')
  await sql`update flow_card set machine_id = null, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await sql`delete from flow_counter where card_id = ${id}`.execute(ctx.tx)
  await audit(ctx, card, { machineId: card.machineId }, { machineId: null })
  return { id }
}

export async function setLimit(
  ctx: CommandContext,
  { ids, alarmMb }: InputOf<typeof setFlowLimit>,
): Promise<{ changed: number }> {
  const named = [...new Set(ids)]
  const found = await sql<{ id: number; merchantId: number; alarmMb: number }>`
    select f.id, f.merchant_id as "merchantId", f.alarm_mb as "alarmMb" from flow_card f
    where f.id = any(${named}::bigint[]) and ${merchantInSight(sightOf(ctx.actor), sql`f.merchant_id`)}
    order by f.id for update`.execute(ctx.tx)
  if (found.rows.length !== named.length) refuse('request.notFound')
  await sql`update flow_card set alarm_mb = ${alarmMb}, version = version + 1
    where id = any(${named}::bigint[]) and alarm_mb <> ${alarmMb}`.execute(ctx.tx)
  const changed = found.rows.filter((card) => card.alarmMb !== alarmMb)
  for (const merchantId of new Set(found.rows.map((card) => card.merchantId))) {
    const own = changed.filter((card) => card.merchantId === merchantId)
    const cards = own.map((card) => ({ id: card.id, alarmMb: card.alarmMb })).slice(0, 500)
    await audit(ctx, { id: own[0]?.id ?? named[0] ?? 0, merchantId }, { cards }, { alarmMb, count: own.length })
  }
  return { changed: changed.length }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const card = await load(ctx, id)
  if (card.machineId !== null) refuse('flowCard.bound')
  await sql`delete from flow_card where id = ${id}`.execute(ctx.tx)
  await audit(ctx, card, { iccid: card.iccid, ...editableOf(card) }, null)
  return { id }
}

const columns = sql`imei, imsi, phone, carrier, type, plan_mb, alarm_mb, opened_on, expires_on, remark`
const valuesOf = (card: Wanted) => sql`${card.imei}, ${card.imsi}, ${card.phone}, ${card.carrier}, ${card.cardType},
  ${card.planMb}::int, ${card.alarmMb}::int, ${card.openedOn}::date, ${card.expiresOn}::date, ${card.remark}`

const load = async (ctx: CommandContext, id: number): Promise<CardRow> =>
  (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')

function editableOf(card: CardRow) {
  const { id: _i, merchantId: _m, iccid: _c, machineId: _x, version: _v, ...editable } = card
  return editable
}

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'flowCard', objectId: id, before, after })
