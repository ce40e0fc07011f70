import { paymentAttemptState } from '@aisle/contract/payment/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getPaymentService,
  interfaceTypes,
  type listPaymentServices,
  type PaymentService,
} from '@aisle/contract/payment/service'
import { type RawBuilder, sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { type Sight } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'

type Filter = InputOf<typeof listPaymentServices>
type Detail = OutputOf<typeof getPaymentService>

/** Written into the statement, as the contract has it. @param provider the column that holds it */
export const interfaceOf = (provider: RawBuilder<unknown>): RawBuilder<PaymentService['interfaceType']> => sql`
  case ${provider} ${sql.join(
    Object.entries(interfaceTypes).map(([each, type]) => sql`when ${sql.lit(each)} then ${sql.lit(type)}`),
    sql` `,
  )} end`

/** In the order in which a customer would look for them. */
const place = sql`(array_position(array['wechat', 'alipay', 'unionpay'], s.provider) * 10
  + array_position(array['native', 'barcode'], s.product) + coalesce(s.acquirer_id, 0) * 100)::bigint`

/** With the numbers that each was made under. */
const attempts = sql`payment_attempt t join payment_account a on a.id = t.account_id
  join provider_account w on w.id = a.provider_account_id`

const rowsInSight = (sight: Sight, day: string): RawBuilder<PaymentService> => sql`
  select s.id, s.provider, n.name as "acquirer", s.product, ${interfaceOf(sql`s.provider`)} as "interfaceType",
    case when s.is_on then 'on' else 'off' end as state, s.note,
    (select count(*) from payment_account a join provider_account w on w.id = a.provider_account_id
      where a.state = 'activated' and a.provider = s.provider and s.product = any(a.products)
        and w.acquirer_id is not distinct from s.acquirer_id) as accounts,
    coalesce(today.attempts, 0) as "todayAttempts", coalesce(today.paid, 0) as "todayPaid",
    coalesce(today.fen, 0) as "todayFen", coalesce(open.waiting, 0) as waiting,
    u.display_name as "changedBy", to_json(s.changed_at) #>> '{}' as "changedAt", ${place} as place
  from payment_service s left join app_user u on u.id = s.changed_by
  left join acquirer n on n.id = s.acquirer_id
  left join (
    select t.method, t.product, w.acquirer_id, count(*) as attempts, count(t.paid_at) as paid,
      sum(t.paid_fen) as fen
    from ${attempts} where t.business_day = ${day}
    group by 1, 2, 3) today on today.method = s.provider and today.product = s.product
      and today.acquirer_id is not distinct from s.acquirer_id
  left join (
    select t.method, t.product, w.acquirer_id, count(*) as waiting from ${attempts}
    where t.state in ${statesIn(paymentAttemptState, 'open')}
    group by 1, 2, 3) open on open.method = s.provider and open.product = s.product
      and open.acquirer_id is not distinct from s.acquirer_id
  where ${sight.kind === 'all'}`

export function listPaymentServicesIn(sight: Sight, filter: Filter, now: Date): Listing<PaymentService> {
  const { provider, product, state } = filter
  const where = allOf([
    isAnyOf(sql`provider`, provider),
    product && sql`product = ${product}`,
    isAnyOf(sql`state`, state),
  ])
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  return listRows({ rows: rowsInSight(sight, day), where, order: { by: sql`place`, type: 'bigint' } })
}

export async function findPaymentServiceDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const found = await sql<PaymentService & { version: number }>`
    select seen.*, s.version from (${rowsInSight(sight, day)}) seen join payment_service s on s.id = seen.id
    where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const days = await sql<Detail['days'][number]>`
    select t.business_day as day, count(*) as attempts, count(t.paid_at) as paid,
      coalesce(sum(t.paid_fen), 0) as "paidFen"
    from ${attempts} join payment_service s on s.id = ${id}
    where t.business_day > ${addDays(day, -14)} and t.method = s.provider and t.product = s.product
      and w.acquirer_id is not distinct from s.acquirer_id
    group by 1 order by 1 desc`.execute(db)
  return { ...row, days: days.rows }
}
