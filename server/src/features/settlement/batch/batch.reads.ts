import { settlementConfirmDays } from '@aisle/contract/system/settings'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getSettlement } from '@aisle/contract/settlement/batch'
import type { listSettlements, Settlement } from '@aisle/contract/settlement/books'
import { lightOf, type RunState } from '@aisle/contract/settlement/states'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, addDays, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing } from '../../../kernel/refuse'
import { isPlatformsOwn, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { confirmRefusal } from './batch.rules'
import { settledInSight, waitingDisputes } from './batch.store'
import { statementSum } from './statement.reads'
import { findEntriesByReference } from '../../ledger/public'

type Filter = InputOf<typeof listSettlements>
type Lit = { runState: RunState | null; openCount: number; waitingCount: number }
type Row = Omit<Settlement, 'light'> & Lit

/** Days since the beginning of 2000, as the indexes have them. */
const dayNo = sql`(s.business_day - date '2000-01-01')`

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select s.id, s.business_day, ${dayNo} as "dayNo", to_char(s.business_day, 'YYYY-MM-DD') as "businessDay",
    s.merchant_id as "merchantId", m.name as "merchantName", s.method, s.funds_mode as "fundsMode", s.orders,
    jsonb_build_object('settlementId', s.id::text) as "orderSearch", s.refunds, s.gross_fen as "grossFen",
    s.refund_fen as "refundFen", s.channel_fee_fen as "channelFeeFen", s.function_fee_fen as "functionFeeFen",
    s.tax_fen as "taxFen", s.split_fen as "splitFen",
    s.net_fen as "netFen", s.rounding_ufen as "roundingUfen", to_json(s.posted_at) #>> '{}' as "postedAt",
    s.state, ${waitingDisputes}::int as disputes, s.run_id as "runId", r.state as "runState",
    coalesce(r.open_count, 0) as "openCount", coalesce(r.waiting_count, 0) as "waitingCount"
  from settlement s join merchant m on m.id = s.merchant_id left join settlement_run r on r.id = s.run_id
  where ${settledInSight(sight, sql`s.merchant_id`)}`

const newest: Order = { by: sql`"dayNo"`, type: 'bigint', newestFirst: true }

export function listSettlementsIn(ctx: QueryContext, filter: Filter): Listing<Settlement> {
  const { from, to, method, merchantId, state } = filter
  const where = allOf([
    from && sql`business_day >= ${from}::date`,
    to && sql`business_day <= ${to}::date`,
    isAnyOf(sql`method`, method),
    isAnyOf(sql`state`, state, { disputed: sql`disputes > 0` }),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const sums = summed('grossFen', 'refundFen', 'channelFeeFen', 'functionFeeFen', 'taxFen', 'splitFen', 'netFen')
  const listed = { rows: rowsInSight(sightOf(ctx.actor)), where, order: newest, sums }
  return mapRows(listRows(listed), (found) => found.map(lit))
}

const lit = <R extends Row>({ runState, waitingCount, ...row }: R) => ({
  ...row,
  light: runState === null ? null : lightOf({ state: runState, openCount: row.openCount, waitingCount }),
})

type Detail = OutputOf<typeof getSettlement>
type Beside = Pick<Detail, 'confirmedBy' | 'confirmedAt' | 'runDay'> & { merchantId: number; postedAt: Date }

export async function findSettlement(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Row>`select * from (${rowsInSight(sightOf(ctx.actor))}) seen where id = ${id}`.execute(ctx.db)
  const row = existing(found.rows[0])
  const { postedAt, ...beside } = only(
    await sql<Beside>`select s.merchant_id as "merchantId", u.display_name as "confirmedBy",
        to_json(s.confirmed_at) #>> '{}' as "confirmedAt", to_char(r.day, 'YYYY-MM-DD') as "runDay",
        s.posted_at as "postedAt"
      from settlement s left join app_user u on u.id = s.confirmed_by left join settlement_run r on r.id = s.run_id
      where s.id = ${id}`.execute(ctx.db),
  )
  const entries = await findEntriesByReference(ctx.db, 'settlement', [String(id)])
  const days = await settingOf(ctx.db, settlementConfirmDays, null)
  const asked = {
    ...row,
    merchantId: beside.merchantId,
    actor: ctx.actor,
    isOfPlatform: await isPlatformsOwn(ctx.db, ctx.actor),
  }
  return {
    ...lit(row),
    ...beside,
    lapsesOn: addDays(businessTime(postedAt, PLATFORM_TIME_ZONE).day, days),
    whyNot: confirmRefusal(asked),
    transferId: entries[0]?.transferId ?? null,
    entries,
    ledgerFen: -entries.reduce((fen, entry) => fen + (entry.account === 'available' ? entry.amountFen : 0), 0) || 0,
    ...(await statementSum(ctx.db, id)),
  }
}
