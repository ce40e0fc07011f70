import * as contract from '@aisle/contract/fleet/flowCard'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { holds, isAnyOf } from '../../../kernel/list'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { cardState, flowDay, flowMonth, limitMb } from './flow.store'
import { importAll, preview, writeTemplate } from './flowCard.import'

type Detail = contract.FlowCardDetail

const worst = sql`array_position(${[...contract.flowCardStates]}::text[], state)::bigint * 1000000000
  - least(("monthMb" * 1024)::bigint, 999999999)`

const cards = kept(contract.flowCard, {
  table: 'flowCard',
  joins: (_sight, now) => beside(now),
  facts: (sight, now) => ({
    /** Only for who sees the machine. */
    machineCode: sql`case when ${machineInSight(sight, sql`m.id`)} then m.code end`,
    state: cardState(now),
    todayMb: mb(sql`d.used_kb`),
    monthMb: mb(sql`u.used_kb`),
    limitMb,
  }),
  shown: { cardType: sql`flow_card.type` },
  columns: async (_ctx, { cardType }) => ({ type: cardType }),
  search: [],
  where: {
    flowCard: (q) => sql`(${holds(sql`iccid`, q)} or ${holds(sql`phone`, q)} or imsi = ${q} or imei = ${q})`,
    cardState: (some) => isAnyOf(sql`state`, some),
  },
  orders: {
    worst: { by: worst, type: 'bigint' },
    month: { by: sql`-("monthMb" * 1024)::bigint`, type: 'bigint' },
    expiry: { by: sql`coalesce("expiresOn"::text, '9999-12-31')`, type: 'text' },
  },
})

export const routes: Route[] = [
  ...listOf(contract.listFlowCards, cards.list),
  query(contract.summariseFlowCards, summary),
  query(contract.getFlowCard, findDetail),
  query(contract.getFlowCardTemplate, (ctx) => writeTemplate(ctx.language)),
  query(contract.previewFlowCards, preview),
  command(contract.addFlowCard, cards.add),
  command(contract.editFlowCard, cards.edit),
  command(contract.bindFlowCard, bind),
  command(contract.releaseFlowCard, release),
  command(contract.setFlowLimit, setLimit),
  command(contract.removeFlowCard, remove),
  command(contract.importFlowCards, importAll),
]

/** The machine that a card is in, and what it used today and this month. */
function beside(now: Date): RawBuilder<unknown> {
  return sql`left join machine m on m.id = flow_card.machine_id
    left join flow_day d on d.card_id = flow_card.id and d.day = ${flowDay(now)}::date
    left join flow_month u on u.card_id = flow_card.id and u.month = ${flowMonth(now)}::date`
}

function mb(kb: RawBuilder<unknown>): RawBuilder<number> {
  return sql`round(coalesce(${kb}, 0) / 1024.0, 1)::float8`
}

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await cards.get(ctx, { id })
  const bound = await sql<{ isBound: boolean; name: string | null; heardAt: Date | null }>`
    select f.machine_id is not null as "isBound", m.name, n.at as "heardAt"
    from flow_card f left join machine m on m.id = f.machine_id left join flow_counter n on n.card_id = f.id
    where f.id = ${id}`.execute(ctx.db)
  const { isBound = false, name = null, heardAt = null } = bound.rows[0] ?? {}
  const days = await sql<Detail['days'][number]>`select day::text, ${mb(sql`used_kb`)} as "usedMb"
    from flow_day where card_id = ${id} order by day desc limit 31`.execute(ctx.db)
  const months = await sql<Detail['months'][number]>`select month::text, ${mb(sql`used_kb`)} as "usedMb"
    from flow_month where card_id = ${id} order by month desc limit 12`.execute(ctx.db)
  return {
    ...found,
    machineName: found.machineCode === null ? null : name,
    isBound,
    heardAt: heardAt?.toISOString() ?? null,
    days: days.rows,
    months: months.rows,
  }
}

type Summary = OutputOf<typeof contract.summariseFlowCards>

async function summary(ctx: QueryContext): Promise<Summary> {
  const [sight, now] = [sightOf(ctx.actor), ctx.now()]
  const found = await sql<{ state: contract.FlowCardState; count: number; kb: number }>`
    select ${cardState(now)} as state, count(*) as count, coalesce(sum(u.used_kb), 0)::bigint as kb
    from flow_card ${beside(now)} where ${merchantInSight(sight, sql`flow_card.merchant_id`)}
    group by 1`.execute(ctx.db)
  const counts: Summary = { total: 0, expired: 0, over_limit: 0, expiring: 0, in_use: 0, spare: 0, monthMb: 0 }
  let kb = 0
  for (const each of found.rows) {
    counts[each.state] = each.count
    counts.total += each.count
    kb += each.kb
  }
  return { ...counts, monthMb: Math.round((kb * 10) / 1024) / 10 }
}

/** The counter of the machine that it was in goes: what it says next belongs to another card. */
async function bind(ctx: CommandContext, { id, machineId }: InputOf<typeof contract.bindFlowCard>) {
  const card = await cards.load(ctx, id)
  const found = await sql<{ code: string; isBelow: boolean; isRetired: boolean }>`
    select m.code, c.path @> array[${card.merchantId}]::bigint[] as "isBelow", m.retired_at is not null as "isRetired"
    from machine m join merchant c on c.id = m.merchant_id
    where m.id = ${machineId} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  const machine = existing(found.rows[0])
  if (!machine.isBelow || machine.isRetired) refuse('flowCard.otherMerchant', { code: machine.code })
  await refusedBy(
    'flow_card_machine_id_key',
    sql`update flow_card set machine_id = ${machineId}, version = version + 1 where id = ${id}`.execute(ctx.tx),
    () => refusal('flowCard.machineTaken', { code: machine.code }),
  )
  if (card.machineId !== machineId) await sql`delete from flow_counter where card_id = ${id}`.execute(ctx.tx)
  await cards.audit(ctx, card, { machineId: card.machineId }, { machineId, machine: machine.code })
  return { id }
}

async function release(ctx: CommandContext, { id }: { id: number }) {
  const card = await cards.load(ctx, id)
  if (card.machineId === null) refuse('flowCard.unbound')
  await sql`update flow_card set machine_id = null, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await sql`delete from flow_counter where card_id = ${id}`.execute(ctx.tx)
  await cards.audit(ctx, card, { machineId: card.machineId }, { machineId: null })
  return { id }
}

async function setLimit(
  ctx: CommandContext,
  { ids, alarmMb }: InputOf<typeof contract.setFlowLimit>,
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
    const were = own.map((card) => ({ id: card.id, alarmMb: card.alarmMb })).slice(0, 500)
    await cards.audit(
      ctx,
      { id: own[0]?.id ?? named[0] ?? 0, merchantId },
      { cards: were },
      { alarmMb, count: own.length },
    )
  }
  return { changed: changed.length }
}

async function remove(ctx: CommandContext, { id }: { id: number }) {
  const card = await cards.load(ctx, id)
  if (card.machineId !== null) refuse('flowCard.bound')
  return cards.remove(ctx, { id })
}
