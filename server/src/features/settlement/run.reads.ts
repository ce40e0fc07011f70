import type { getRun, listRuns, SettlementRun, summariseRuns } from '@aisle/contract/settlement/run'
import { differenceState, lightOf, lights } from '@aisle/contract/settlement/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../kernel/list'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listRuns>
type Row = Omit<SettlementRun, 'light'>

/** As `lightOf`, for the filter. */
const light = sql`case when state = 'waiting' then 'none' when "openCount" > 0 then 'red'
  when "waitingCount" > 0 or state = 'closing' then 'amber' else 'green' end`

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select r.id, to_char(r.day, 'YYYY-MM-DD') as day, r.provider, r.merchant_id as "merchantId", m.name as "merchantName",
    p.provider_no as "channelNo", r.funds_mode as "fundsMode", r.state,
    r.our_count as "ourCount", r.our_fen as "ourFen", r.their_count as "theirCount", r.their_fen as "theirFen",
    r.their_refund_fen as "refundFen", r.fee_fen as "feeFen",
    r.their_fen - r.their_refund_fen - r.fee_fen as "netFen", r.open_count as "openCount",
    r.waiting_count as "waitingCount", to_json(r.matched_at) #>> '{}' as "matchedAt",
    to_json(r.closed_at) #>> '{}' as "closedAt"
  from settlement_run r join settlement_channel c on c.id = r.channel_id
  join provider_account p on p.id = c.provider_account_id join merchant m on m.id = r.merchant_id
  where ${merchantInSight(sight, sql`r.merchant_id`)}`

const newest: Order = { by: sql`day`, type: 'text', newestFirst: true }
const lit = <R extends Row>(row: R) => ({ ...row, light: lightOf(row) })

export function listRunsIn(ctx: QueryContext, filter: Filter): Listing<SettlementRun> {
  const listed = { rows: rowsInSight(sightOf(ctx.actor)), where: whereOf(filter), order: newest }
  const sums = summed('ourFen', 'theirFen', 'refundFen', 'feeFen', 'netFen')
  return mapRows(listRows({ ...listed, sums, isCountedWhole: true }), (rows) => rows.map(lit))
}

const whereOf = (filter: Filter) =>
  allOf([
    filter.from && sql`day >= ${filter.from}`,
    filter.to && sql`day <= ${filter.to}`,
    isAnyOf(sql`provider`, filter.provider),
    isAnyOf(sql`state`, filter.state),
    isAnyOf(sql`${light}`, filter.light),
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
  ])

type Summary = OutputOf<typeof summariseRuns>
/** How many days the row of lights goes back. */
const SHOWN_DAYS = 35

export async function summary(ctx: QueryContext): Promise<Summary> {
  const { day: today } = businessTime(ctx.now(), PLATFORM_TIME_ZONE)
  const rows = sql`select *, ${light} as light from (${rowsInSight(sightOf(ctx.actor))}) runs`
  const counts = await sql<Omit<Summary, 'days'>>`select count(*) filter (where light = 'none')::int as waiting,
      count(*) filter (where light = 'red')::int as red, count(*) filter (where light = 'amber')::int as amber,
      count(*) filter (where state = 'closing')::int as "toClose"
    from (${rows}) seen where state <> 'closed'`.execute(ctx.db)
  const days = await sql<Summary['days'][number]>`
    select to_char(d, 'YYYY-MM-DD') as day, count(seen.id)::int as runs,
      coalesce(sum("openCount"), 0)::int as "openCount",
      coalesce((array_agg(light order by array_position(array['red', 'amber', 'none', 'green'], light))
        filter (where light is not null))[1], ${lights[0]}) as light
    from generate_series(greatest(${addDays(today, -SHOWN_DAYS)}::date, (select min(day)::date from (${rows}) began)),
      ${addDays(today, -1)}::date, interval '1 day') d
    left join (${rows}) seen on seen.day = to_char(d, 'YYYY-MM-DD') group by d order by d`.execute(ctx.db)
  const [row] = counts.rows
  if (!row) throw new Error('a count without a row')
  return { ...row, days: days.rows }
}

type Detail = OutputOf<typeof getRun>
type DetailRow = Row &
  Pick<
    Detail,
    | 'version'
    | 'tries'
    | 'lastCode'
    | 'fetchedAt'
    | 'askedBy'
    | 'isAskedByMe'
    | 'closedBy'
    | 'ours'
    | 'theirs'
    | 'payoutFen'
    | 'ourBalanceFen'
    | 'theirBalanceFen'
  >

export async function findRunDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, r.version, r.tries, r.last_code as "lastCode", to_json(r.fetched_at) #>> '{}' as "fetchedAt",
      (select display_name from app_user where id = r.asked_by) as "askedBy",
      coalesce(r.asked_by = ${ctx.actor.userId}, false) as "isAskedByMe",
      (select display_name from app_user where id = r.closed_by) as "closedBy",
      json_build_object('count', r.our_count, 'fen', r.our_fen, 'refundCount', r.our_refund_count,
        'refundFen', r.our_refund_fen) as ours,
      json_build_object('count', r.their_count, 'fen', r.their_fen, 'refundCount', r.their_refund_count,
        'refundFen', r.their_refund_fen) as theirs,
      r.payout_fen as "payoutFen", r.our_balance_fen as "ourBalanceFen", r.their_balance_fen as "theirBalanceFen"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join settlement_run r on r.id = seen.id
    where seen.id = ${id}`.execute(ctx.db)
  const [row] = found.rows
  if (!row) return undefined
  return {
    ...lit(row),
    files: await filesOf(ctx.db, id),
    differences: await differencesOf(ctx.db, id),
    settlements: await settlementsOf(ctx.db, id),
  }
}

async function filesOf(db: Reader, id: number): Promise<Detail['files']> {
  const found = await sql<Detail['files'][number]>`select f.id, f.kind, f.source, f.name,
      encode(f.hash, 'hex') as hash, f.line_count as "lineCount", to_json(f.imported_at) #>> '{}' as "importedAt",
      u.display_name as "importedBy"
    from statement_file f left join app_user u on u.id = f.imported_by where f.run_id = ${id} order by f.id`.execute(db)
  return found.rows
}

/** What is open stands first. */
async function differencesOf(db: Reader, id: number): Promise<Detail['differences']> {
  const found = await sql<Detail['differences'][number]>`select id, kind, state, our_fen as "ourFen",
      their_fen as "theirFen", order_no as "orderNo"
    from settlement_difference where run_id = ${id}
    order by state in ${statesIn(differenceState, 'settled')}, id limit 200`.execute(db)
  return found.rows
}

async function settlementsOf(db: Reader, id: number): Promise<Detail['settlements']> {
  const found = await sql<Detail['settlements'][number]>`select s.id, m.name as "merchantName", s.orders,
      s.net_fen as "netFen", s.channel_fee_fen + s.function_fee_fen + s.tax_fen + s.split_fen as "feeFen"
    from settlement s join merchant m on m.id = s.merchant_id where s.run_id = ${id}
    order by s.net_fen desc limit 200`.execute(db)
  return found.rows
}
