import type * as contract from '@aisle/contract/field/cashCollection'
import { type CashCollection, cashCollectionState } from '@aisle/contract/field/cashCollection'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, summed } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { withinDays } from '../../../kernel/platformDays'
import { existing } from '../../../kernel/refuse'
import { machineInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn, stateTo } from '../../../kernel/states'
import { cashMeasured } from '../../device/public'

type Row = CashCollection & { merchantId: number; depositId: number | null }

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select c.id, c.machine_id as "machineId", m.code as "machineCode", m.name as "machineName",
    c.merchant_id as "merchantId", o.name as "merchantName", c.box_no as "boxNo", c.state,
    to_json(c.taken_at) #>> '{}' as "takenAt", c.taker, c.expected_fen as "expectedFen",
    c.counted_fen as "countedFen", c.counted_fen - c.expected_fen as "differenceFen", c.counter,
    to_json(c.counted_at) #>> '{}' as "countedAt", c.decider, to_json(c.settled_at) #>> '{}' as "settledAt", c.note,
    d.slip_no as "slipNo", c.deposit_id as "depositId"
  from cash_collection c join machine m on m.id = c.machine_id join merchant o on o.id = c.merchant_id
  left join cash_deposit d on d.id = c.deposit_id
  where ${machineInSight(sight, sql`c.machine_id`)}`

type Sums = { expectedFen: number; countedFen: number; differenceFen: number }

export function listCollectionsIn(
  ctx: QueryContext,
  filter: InputOf<typeof contract.listCashCollections>,
): Listing<CashCollection, Sums> {
  const { q, state, off, banked, depositId, takenFrom: from, takenTo: to, machineId, merchantId } = filter
  const where = allOf([
    q &&
      sql`("machineCode" = ${q} or "boxNo" = ${q} or ${holds(sql`"machineName"`, q)} or ${holds(sql`taker`, q)}
        or ${holds(sql`coalesce(counter, '')`, q)})`,
    isAnyOf(sql`state`, state),
    off === 'short' && sql`"differenceFen" < 0`,
    off === 'over' && sql`"differenceFen" > 0`,
    banked &&
      sql`(state in ${statesIn(cashCollectionState, 'bankable')} and "countedFen" > 0
      and ("depositId" is not null) = ${banked === 'yes'})`,
    depositId && sql`"depositId" = ${depositId}`,
    machineId && sql`"machineId" = ${machineId}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    ...withinDays(sql`"takenAt"::timestamptz`, { from, to }),
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  const sums = summed('expectedFen', 'countedFen', 'differenceFen')
  return listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order, sums })
}

export async function summarise(ctx: QueryContext): Promise<OutputOf<typeof contract.summariseCash>> {
  const sight = sightOf(ctx.actor)
  const found = await sql<OutputOf<typeof contract.summariseCash>>`
    select coalesce((select sum(a.balance_fen) from machine m join ledger_account a
        on a.kind = 'cash_in_machine' and a.merchant_id = m.merchant_id and a.key = m.code
        where ${machineInSight(sight, sql`m.id`)}), 0)::bigint as "inMachinesFen",
      coalesce((select sum(b.counted_fen) from cash_collection b
        where b.state in ${statesIn(cashCollectionState, 'bankable')} and b.deposit_id is null
          and ${machineInSight(sight, sql`b.machine_id`)}), 0)::bigint as "unbankedFen",
      coalesce(sum(c.expected_fen), 0)::bigint as "onTheWayFen",
      count(*) filter (where c.counted_fen is null)::int as taken,
      count(*) filter (where c.counted_fen is not null)::int as counted
    from cash_collection c
    where c.state in ${statesIn(cashCollectionState, 'underWay')}
      and ${machineInSight(sight, sql`c.machine_id`)}`.execute(ctx.db)
  return only(found)
}

export async function findCollection(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof contract.getCashCollection>> {
  const { userId } = ctx.actor
  const found = await sql<
    CashCollection & {
      isTaker: boolean
      isCounter: boolean
      at: Date
      previous: Date | null
      previousAt: string | null
    }
  >`
    select seen.*, c.taken_by = ${userId} as "isTaker", coalesce(c.counted_by = ${userId}, false) as "isCounter",
      c.taken_at as at, p.at as previous, to_json(p.at) #>> '{}' as "previousAt"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join cash_collection c on c.id = seen.id
    cross join lateral (select max(taken_at) as at from cash_collection
      where machine_id = c.machine_id and state in ${statesIn(cashCollectionState, 'left')} and taken_at < c.taken_at) p
    where seen.id = ${id}`.execute(ctx.db)
  const { isTaker, isCounter, at, previous, ...row } = existing(found.rows[0])
  const between = { machineId: row.machineId, from: previous, to: at }
  const mayCount = cashCollectionState.can(row.state, 'count') && !isTaker
  const mayDecide = cashCollectionState.can(row.state, 'recount') && !isTaker && !isCounter
  return { ...row, ...(await sold(ctx.db, between)), ...(await cashMeasured(ctx.db, between)), mayCount, mayDecide }
}

type Between = { machineId: number; from: Date | null; to: Date }

async function sold(db: Reader, { machineId, from, to }: Between): Promise<{ orders: number; ordersFen: number }> {
  const found = await sql<{ orders: number; ordersFen: number }>`
    select count(*)::int as orders, coalesce(sum(paid_fen), 0)::bigint as "ordersFen" from orders
    where machine_id = ${machineId} and method = 'cash' and paid_at is not null and occurred_at <= ${to}
      and (${from}::timestamptz is null or occurred_at > ${from})`.execute(db)
  return only(found)
}

/** Boxes that are off by so much that a third person decides. */
export async function countCashToDecide(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from cash_collection c
    where c.state = ${stateTo(cashCollectionState, 'count')} and ${machineInSight(sight, sql`c.machine_id`)}`.execute(
    db,
  )
  return only(found).count
}
