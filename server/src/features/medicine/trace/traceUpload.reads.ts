import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  listTraceUploads,
  summariseTraceUploads,
  TraceAccount,
  TraceUpload,
} from '@aisle/contract/medicine/traceUpload'
import { readTrace } from '@aisle/contract/medicine/traceCode'
import { traceUploadState } from '@aisle/contract/medicine/traceUpload'
import { sql } from 'kysely'
import { iso } from '../../../db/instant'
import type { QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, MOST_COUNTED } from '../../../kernel/list'
import { merchantInSight, sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'
import { accountOf } from './traceUpload.store'

export function listTraceUploadsIn(ctx: QueryContext, filter: InputOf<typeof listTraceUploads>): Listing<TraceUpload> {
  const { trace, state, kind, productCode, merchantId } = filter
  const rows = sql<TraceUpload & { merchantId: number }>`
    select u.id, t.code as trace, u.kind, u.state, u.merchant_id as "merchantId", c.name as "merchantName",
      p.code as "productCode", p.name as "productName", coalesce(u.batch, e.batch, t.batch) as batch,
      ${iso('e.at')} as at, ${iso('u.sent_at')} as "sentAt", ${iso('u.answered_at')} as "answeredAt", u.reason,
      u.problem, u.tries, case when u.state in ${statesIn(traceUploadState, 'due')}
        and ${accountOf('c.path')} is not null then ${iso('u.next_try_at')} end as "nextTryAt"
    from trace_upload u join trace_event e on e.id = u.event_id join trace_code t on t.id = u.trace_code_id
    join merchant c on c.id = u.merchant_id left join product p on p.id = e.product_id
    where ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`
  const where = allOf([
    trace && sql`trace = ${readTrace(trace)?.code ?? trace}`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    productCode && sql`"productCode" = ${productCode}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows<TraceUpload>({ rows, where, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

type Summary = OutputOf<typeof summariseTraceUploads>

export async function uploadSummary(ctx: QueryContext): Promise<Summary> {
  const own = merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)
  const found = await sql<{ state: keyof Summary; count: number }>`
    select w.state, (select count(*)::int from (select 1 from trace_upload u where u.state = w.state and ${own}
      limit ${sql.lit(MOST_COUNTED)}) counted) as count
    from unnest(${[...traceUploadState.states]}::text[]) w(state)
    union all select 'unsendable', (select count(*)::int from (select 1 from trace_upload u
      join merchant m on m.id = u.merchant_id and ${accountOf('m.path')} is null
      where u.state in ${statesIn(traceUploadState, 'due')} and ${own}
      limit ${sql.lit(MOST_COUNTED)}) counted)`.execute(ctx.db)
  return Object.fromEntries(found.rows.map(({ state, count }) => [state, count])) as Summary
}

export async function accountsIn(ctx: QueryContext): Promise<TraceAccount[]> {
  const found = await sql<TraceAccount>`select a.id, a.merchant_id as "merchantId", m.name as "merchantName",
      a.enterprise_no as "enterpriseNo", a.address, a.is_on as "isOn"
    from trace_account a join merchant m on m.id = a.merchant_id
    where ${merchantInSight(sightOf(ctx.actor), sql`a.merchant_id`)} order by m.name, a.id limit 500`.execute(ctx.db)
  return found.rows
}
