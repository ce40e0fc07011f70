import type { getAuditFiles } from '@aisle/contract/device/audit'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { type Counter, type DexRead, soldBetween } from './dex.rules'

type Answer = OutputOf<typeof getAuditFiles>
type Read = Omit<Answer['reads'][number], 'readAt' | keyof ReturnType<typeof factsOf>> & {
  readAt: Date
  parsed: DexRead | null
}
const SHOWN = 20

export async function findAuditFiles(db: Reader, machineId: number): Promise<Answer> {
  const found = await sql<Read>`select id, kind, read_at as "readAt", fault, epoch, parsed from dex_read
    where machine_id = ${machineId} order by read_at desc, id desc limit ${sql.lit(SHOWN)}`.execute(db)
  const reads = found.rows.map(({ parsed, readAt, ...read }) => ({
    ...read,
    readAt: readAt.toISOString(),
    ...factsOf(parsed),
  }))
  const [later, earlier] = found.rows.filter(({ fault }) => fault === null)
  const isOneBoard = later && earlier && later.epoch === earlier.epoch
  return { reads, between: isOneBoard ? await compare(db, machineId, earlier, later) : null }
}

type Sold = { count: number; fen: number }
type SlotSold = Sold & {
  slot: string
  productName: string | null
  priceFen: number | null
  moved: number
  /** Of it for cash. */
  cashFen: number
}

const MOST_EVENTS = 12

const factsOf = (parsed: DexRead | null) => ({
  paidCount: parsed?.totals.paid?.initCount ?? null,
  paidFen: parsed?.totals.paid?.initFen ?? null,
  cashInFen: parsed?.cash?.inFen ?? null,
  testCount: parsed?.totals.test?.initCount ?? null,
  freeCount: parsed?.totals.free?.initCount ?? null,
  powerCuts: parsed?.powerCuts ?? null,
  events: (parsed?.events ?? [])
    .map(({ id, sinceInit, isActive }) => ({ id, sinceInit, isActive }))
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || b.sinceInit - a.sinceInit)
    .slice(0, MOST_EVENTS),
})

/** Orders by when they happened and moves by when the stock left: the counters turn at that same moment. */
async function compare(db: Reader, machineId: number, earlier: Read, later: Read): Promise<Answer['between']> {
  if (!later.parsed || !earlier.parsed) return null
  const { sold } = soldBetween(earlier.parsed.selections, later.parsed.selections)
  const counted = new Map(sold.map(({ code, count, fen }) => [code, { count, fen }]))
  const set = new Map(later.parsed.selections.map(({ code, priceFen }) => [code, priceFen]))
  const slots = await findSlotsSold(db, machineId, earlier.readAt, later.readAt)
  const cashless = ({ totals }: DexRead) => totals.cashless1
  return {
    from: earlier.readAt.toISOString(),
    to: later.readAt.toISOString(),
    lines: slots.map(({ slot, productName, priceFen, moved, count, fen }) => ({
      slot,
      productName,
      machinePriceFen: set.get(slot) ?? null,
      priceFen,
      counted: counted.get(slot) ?? null,
      ordered: { count, fen },
      moved,
    })),
    cashless: difference(cashless(earlier.parsed), cashless(later.parsed)),
    cash: difference(earlier.parsed.totals.cash, later.parsed.totals.cash),
    cashOrderedFen: slots.reduce((sum, { cashFen }) => sum + cashFen, 0),
    cashInFen: later.parsed.cash?.inFen ?? null,
  }
}

const difference = (earlier: Counter | null, later: Counter | null): Sold | null =>
  earlier && later ? { count: later.initCount - earlier.initCount, fen: later.initFen - earlier.initFen } : null

async function findSlotsSold(db: Reader, machineId: number, from: Date, to: Date): Promise<SlotSold[]> {
  const found = await sql<SlotSold>`
    select s.code as slot, p.name as "productName", s.price_fen as "priceFen",
      coalesce(o.count, 0)::int as count, coalesce(o.fen, 0)::int as fen,
      coalesce(o.cash_fen, 0)::int as "cashFen",
      coalesce(v.moved, 0)::int as moved
    from slot s left join product p on p.id = s.product_id
    left join (
      select i.slot_id, count(*) as count, sum(i.price_fen) as fen,
        sum(i.price_fen) filter (where o.method = 'cash') as cash_fen
      from orders o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
        and i.order_id = o.id
      where o.machine_id = ${machineId} and o.occurred_at > ${from} and o.occurred_at <= ${to}
        and i.state = 'dispensed' group by i.slot_id) o on o.slot_id = s.id
    left join (
      select m.from_place_id, sum(m.quantity) as moved from stock_move m
      where m.cause = 'vend' and m.moved_at > ${from} and m.moved_at <= ${to}
        and m.from_place_id in (select place_id from slot where machine_id = ${machineId})
      group by m.from_place_id) v on v.from_place_id = s.place_id
    where s.machine_id = ${machineId} order by s.layer, s.position`.execute(db)
  return found.rows
}
