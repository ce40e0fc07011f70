import type * as contract from '@aisle/contract/field/cashDeposit'
import { type CashDeposit, cashDepositState } from '@aisle/contract/field/cashDeposit'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, refuseUnseenMerchant, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { unbanked } from './deposit.store'

export async function previewDeposit(
  ctx: QueryContext,
  which: InputOf<typeof contract.previewCashDeposit>,
): Promise<OutputOf<typeof contract.previewCashDeposit>> {
  const sight = sightOf(ctx.actor)
  await refuseUnseenMerchant(ctx.db, sight, which.merchantId)
  return only(
    await sql<{ boxes: number; countedFen: number }>`select count(*)::int as boxes,
        coalesce(sum(c.counted_fen), 0)::bigint as "countedFen"
      from cash_collection c where ${unbanked(sight, which)}`.execute(ctx.db),
  )
}

type Row = CashDeposit & { merchantId: number; enteredBy: number }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select d.id, d.slip_no as "slipNo", d.state, d.merchant_id as "merchantId", m.name as "merchantName",
    to_char(d.deposited_on, 'YYYY-MM-DD') as "depositedOn", d.counted_fen as "countedFen", d.amount_fen as "amountFen",
    d.amount_fen - d.counted_fen as "differenceFen",
    (select count(*)::int from cash_collection c where c.deposit_id = d.id) as boxes, d.note, d.depositor,
    to_json(d.entered_at) #>> '{}' as "enteredAt", d.reverser,
    to_json(d.reversed_at) #>> '{}' as "reversedAt", d.reason, d.entered_by as "enteredBy"
  from cash_deposit d join merchant m on m.id = d.merchant_id where ${merchantInSight(sight, sql`d.merchant_id`)}`

type Sums = { countedFen: number; amountFen: number }

export function listDepositsIn(
  ctx: QueryContext,
  filter: InputOf<typeof contract.listCashDeposits>,
): Listing<CashDeposit, Sums> {
  const { q, state, merchantId } = filter
  const where = allOf([
    q && sql`("slipNo" = ${q} or ${holds(sql`depositor`, q)})`,
    isAnyOf(sql`state`, state),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order, sums: summed('countedFen', 'amountFen') })
}

export async function findDeposit(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof contract.getCashDeposit>> {
  const found = await sql<Row>`select * from (${rowsInSight(sightOf(ctx.actor))}) seen where id = ${id}`.execute(ctx.db)
  const { enteredBy, merchantId: _, ...row } = existing(found.rows[0])
  return { ...row, mayReverse: cashDepositState.can(row.state, 'reverse') && enteredBy !== ctx.actor.userId }
}
