import type { FundsMode, Provider } from '@aisle/contract/payment/states'
import { differenceState, runState, type RunState } from '@aisle/contract/settlement/states'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext, Reader, Tx } from '../../kernel/context'
import { dayAtHome, instantAtHome } from '../../kernel/platformDays'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

export type Run = {
  id: number
  channelId: number
  merchantId: number
  providerAccountId: number
  provider: Provider
  /** Under which the money of the day was collected. */
  fundsMode: FundsMode
  day: string
  state: RunState
  openCount: number
  waitingCount: number
  askedBy: number | null
  version: number
}

const columns = sql`r.id, r.channel_id as "channelId", r.merchant_id as "merchantId",
  c.provider_account_id as "providerAccountId",
  r.provider,
  r.funds_mode as "fundsMode", to_char(r.day, 'YYYY-MM-DD') as day, r.state, r.open_count as "openCount",
  r.waiting_count as "waitingCount", r.asked_by as "askedBy", r.version`

/** Locked: whoever matches, decides or closes a day of a channel does so alone. */
export async function lockRun(tx: Tx, id: number): Promise<Run | undefined> {
  const found = await sql<Run>`select ${columns} from settlement_run r join settlement_channel c on c.id = r.channel_id
    where r.id = ${id} for update of r`.execute(tx)
  return found.rows[0]
}

/** @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdRun(ctx: CommandContext, id: number, verb: keyof typeof runState.moves): Promise<Run> {
  const seen = await sql`select 1 from settlement_run r
    where r.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`r.merchant_id`)}`.execute(ctx.tx)
  const run = existing(seen.rows.length > 0 ? await lockRun(ctx.tx, id) : undefined)
  if (!runState.can(run.state, verb)) refuse('settlementRun.state', { id })
  return run
}

export async function findRuns(db: Reader, where: RawBuilder<boolean>): Promise<Run[]> {
  const found = await sql<Run>`select ${columns} from settlement_run r join settlement_channel c on c.id = r.channel_id
    where ${where} order by r.day, r.id`.execute(db)
  return found.rows
}

/** The day that a posting is about: never one that is still to come. */
export function bookedDay(day: string, now: Date): string {
  const today = businessTime(now, PLATFORM_TIME_ZONE).day
  return day < today ? day : today
}

/** UnionPay's day runs from 23:00 to 23:00, the others' from midnight. */
export const dayStart = ({ provider, day }: Pick<Run, 'provider' | 'day'>): RawBuilder<Date> =>
  instantAtHome(sql`${day}::date - ${provider === 'unionpay' ? 1 : 0} * interval '1 hour'`)
export const dayEnd = ({ provider, day }: Pick<Run, 'provider' | 'day'>): RawBuilder<Date> =>
  instantAtHome(sql`${day}::date + 1 - ${provider === 'unionpay' ? 1 : 0} * interval '1 hour'`)

/** The accounts that collect through a channel: theirs are the attempts that its bill must have. */
export const accountsOf = (run: Pick<Run, 'providerAccountId'>): RawBuilder<unknown> =>
  sql`select id from payment_account where provider_account_id = ${run.providerAccountId}`

/**
 * A channel for each contract with a provider through which something collects, since providers keep one statement of
 * all its sub-merchants; and a run for each of its days up to yesterday, under the mode of the account that collected
 * then, the newest where there were two. Bills come for some days after the last account was stopped.
 */
export async function openRuns(tx: Tx, now: Date): Promise<void> {
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select distinct on (p.id) p.id, p.merchant_id, p.provider, a.id, a.funds_mode,
      ${dayAtHome(sql`greatest(min(a.activated_at) over (partition by p.id),
        ${now}::timestamptz - interval '90 days')`)}
    from provider_account p join payment_account a on a.provider_account_id = p.id and a.activated_at is not null
    order by p.id, a.state = 'activated' desc, a.machine_id is null desc, a.id desc
    on conflict (provider_account_id, sub_merchant_no) do update set account_id = excluded.account_id,
        funds_mode = excluded.funds_mode
      where (settlement_channel.account_id, settlement_channel.funds_mode)
        <> (excluded.account_id, excluded.funds_mode)`.execute(tx)
  await sql`insert into settlement_run (channel_id, merchant_id, provider, day, funds_mode, created_at)
    select c.id, c.merchant_id, c.provider, day::date, coalesce(${modeOn(sql`day::date`)}, c.funds_mode), ${now}
    from settlement_channel c join payment_account a on a.id = c.account_id
    cross join generate_series(c.since, least(${dayAtHome(now)} - 1,
      ${dayAtHome(sql`coalesce(a.stopped_at, ${now})`)} + 3), interval '1 day') day
    on conflict (channel_id, day) do nothing`.execute(tx)
}

/** Of channel `c` on a day: null when nothing collected through it then. */
const modeOn = (day: RawBuilder<unknown>) => sql`(select d.funds_mode from payment_account d
  where d.provider_account_id = c.provider_account_id and ${dayAtHome(sql`d.activated_at`)} <= ${day}
    and (d.stopped_at is null or ${dayAtHome(sql`d.stopped_at`)} >= ${day})
  order by d.activated_at desc, d.id desc limit 1)`

/** Differences of the channel's days as its runs show them; after anything that moves one. */
export async function countDifferences(tx: Tx, channelId: number): Promise<void> {
  await sql`update settlement_run r set open_count = n.open, waiting_count = n.waiting
    from (select r.id, count(d.id) filter (where d.state in ${statesIn(differenceState, 'toDecide')})::int as open,
        count(d.id) filter (where d.state = 'next_day')::int as waiting
      from settlement_run r left join settlement_difference d on d.run_id = r.id
      where r.channel_id = ${channelId} and r.state <> 'closed' group by r.id) n
    where n.id = r.id and (r.open_count, r.waiting_count) <> (n.open, n.waiting)`.execute(tx)
}
