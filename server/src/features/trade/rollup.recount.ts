import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'

type Part = { keys: string; sums: string; facts: string; begins: 'year' | 'month' }

const FIGURES = 'orders, paid_fen, discount_fen, online_orders, online_fen, refunds, refunded_fen'
const MACHINE = `${FIGURES}, cost_fen, refunded_cost_fen`
const PIECES = 'quantity, paid_fen, cost_fen, refunded_quantity, refunded_fen, refunded_cost_fen'
const ITEMS = `orders o join order_item i
  on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id`

/** A row for each order, each refund and each piece of both: with keys of all tables, and what they sum. */
const SALES = 'select * from sale_figures'
const SOLD = `select o.business_day, o.merchant_id, o.machine_id, i.product_id, 1 as quantity, i.price_fen as paid_fen,
    i.cost_fen, 0 as refunded_quantity, 0 as refunded_fen, 0 as refunded_cost_fen
  from ${ITEMS} where o.paid_at is not null
  union all
  select f.business_day, o.merchant_id, o.machine_id, p.product_id, 0, 0, 0, 1, p.amount_fen, i.cost_fen
  from refund_done f join orders o using (merchant_id, occurred_at, id) join order_item i
    on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
  join refund_item p on p.refund_id = f.refund_id and p.item_index = i.index`
const OUT = `select o.business_day, o.merchant_id, o.machine_id, o.point_id, i.product_id,
    coalesce(i.batch, '') as batch, 1 as quantity, i.price_fen as paid_fen, i.cost_fen
  from ${ITEMS} join product p on p.id = i.product_id and p.medicine_class is not null where i.state = 'dispensed'`

const parts: Record<string, Part> = {
  '': { keys: 'merchant_id, method, business_type', sums: FIGURES, facts: SALES, begins: 'year' },
  _machine: {
    keys: 'machine_id, merchant_id, point_id, method, business_type',
    sums: MACHINE,
    facts: SALES,
    begins: 'year',
  },
  _product: { keys: 'merchant_id, product_id', sums: PIECES, facts: SOLD, begins: 'year' },
  _machine_product: { keys: 'machine_id, merchant_id, product_id', sums: PIECES, facts: SOLD, begins: 'year' },
  _batch: {
    keys: 'machine_id, merchant_id, point_id, product_id, batch',
    sums: 'quantity, paid_fen, cost_fen',
    facts: OUT,
    begins: 'month',
  },
}

/** Each figure that is not what a recount of the facts gives, or not the sum of the days that it was made of. */
export async function wrongFigures(db: Reader): Promise<string[]> {
  const checks = Object.entries(parts).flatMap(([name, part]) => [
    dayCheck(name, part),
    runCheck(name, part),
    gapCheck(name, part),
  ])
  const above = [aboveCheck('_above', '', FIGURES), aboveCheck('_above_product', '_product', PIECES)]
  const found = await sql<{ what: string }>`${sql.join([totals, hours, pairs, ...checks, ...above], sql` union all `)}
    limit 100`.execute(db)
  return found.rows.map((row) => row.what)
}

const sumsOf = (sums: string) => sums.split(', ').map((sum) => `sum(${sum})::bigint as ${sum}`)

/** Rows of the one that the other has not to the fen; a row that sums nothing is the same as none. */
function differ(what: string, columns: string, sums: string, [kept, counted]: readonly [string, string]) {
  const isSomething = sums
    .split(', ')
    .map((sum) => `${sum} <> 0`)
    .join(' or ')
  const less = (one: string, other: string) =>
    `(select ${columns} from (${one}) a where ${isSomething} except all select ${columns} from (${other}) b)`
  return sql.raw<unknown>(`(select '${what} ' || to_jsonb(wrong)::text as what
    from (${less(kept, counted)} union all ${less(counted, kept)}) wrong limit 20)`)
}

const dayCheck = (name: string, { keys, sums, facts }: Part): RawBuilder<unknown> =>
  differ(`rollup_day${name}`, `business_day, ${keys}, ${sums}`, sums, [
    `select * from rollup_day${name}`,
    `select business_day, ${keys}, ${sumsOf(sums).join(', ')} from (${facts}) f group by business_day, ${keys}`,
  ])

/** What a running total has more than the one of the day before is the day. */
const runCheck = (name: string, { keys, sums, begins }: Part): RawBuilder<unknown> => {
  const added = sums
    .split(', ')
    .map((sum) => `${sum} - lag(${sum}, 1, 0::bigint) over run as ${sum}`)
    .join(', ')
  return differ(`rollup_run${name}`, `business_day, ${keys}, ${sums}`, sums, [
    `select business_day, ${keys}, ${added} from rollup_run${name}
     window run as (partition by date_trunc('${begins}', business_day::timestamp), ${keys} order by business_day)`,
    `select business_day, ${keys}, ${sums} from rollup_day${name}
     where business_day < (select through from rollup_fold)`,
  ])
}

/** Once there, a running total is there each day to the end of its year or month, as far as days are folded. */
const gapCheck = (name: string, { keys, begins }: Part): RawBuilder<unknown> =>
  sql.raw<unknown>(`(select 'rollup_run${name} lacks days of ' || to_jsonb(run)::text as what from (
    select ${keys}, min(business_day) as first, count(*) as days from rollup_run${name}
    group by date_trunc('${begins}', business_day::timestamp), ${keys}) run, rollup_fold
    where first + days::int <> least(through,
      (date_trunc('${begins}', first::timestamp) + interval '1 ${begins}')::date) limit 20)`)

function aboveCheck(name: string, of: string, sums: string): RawBuilder<unknown> {
  const keys = of === '' ? 'method, business_type' : 'product_id'
  return differ(`rollup_day${name}`, `above_id, business_day, ${keys}, ${sums}`, sums, [
    `select * from rollup_day${name}`,
    `select above_id, business_day, ${keys}, ${sumsOf(sums).join(', ')} from rollup_day${of} r
     join merchant m on m.id = r.merchant_id, unnest(m.path[:cardinality(m.path) - 1]) as above_id
     where business_day < (select through from rollup_fold) group by above_id, business_day, ${keys}`,
  ])
}

const totals = differ('rollup_total', 'merchant_id, orders, paid_fen', 'orders, paid_fen', [
  'select * from rollup_total',
  `select merchant_id, sum(orders)::bigint as orders, sum(paid_fen)::bigint as paid_fen from (${SALES}) f group by 1`,
])

const hours = differ('rollup_hour', 'business_day, hour, merchant_id, orders, paid_fen', 'orders, paid_fen', [
  'select * from rollup_hour',
  `select o.business_day, extract(hour from o.occurred_at at time zone m.time_zone)::smallint as hour, o.merchant_id,
     count(*) as orders, sum(o.paid_fen)::bigint as paid_fen
   from orders o join machine m on m.id = o.machine_id where o.paid_at is not null group by 1, 2, 3`,
])

/** Without its pair a machine's sales for another merchant would be missing from what people see. */
const pairs = sql`(select 'rollup_machine_merchant lacks ' || machine_id || '/' || merchant_id as what
  from (select machine_id, merchant_id from rollup_day_machine
    except select machine_id, merchant_id from rollup_machine_merchant) missing limit 20)`
