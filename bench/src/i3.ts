import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../server/src/kernel/context'
import { must } from '../../server/src/kernel/must'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Bench, digits, type Line } from './kit/figure'
import { makeNetwork } from './kit/network'
import { timed } from './kit/rounds'
import { type Server, startApi } from './kit/server'

const MACHINES = 2_000
const SLOTS = 40
const VISITS = 40
const SOLD_DAYS = 56
const MERCHANT = 101

/** A merchant of 2,000 machines with 40 slots each: what should be bought, and a day of 40 visits told at its end. */
export async function i3({ cluster, say, rounds }: Bench): Promise<Line[]> {
  const fresh = await cluster.fresh('goods', SOLD_DAYS + 4)
  const { db } = fresh.pool
  say(`making ${digits(MACHINES)} machines of ${SLOTS} slots that have sold for ${SOLD_DAYS} days`)
  await makeNetwork(db, { merchants: 1, machines: MACHINES, products: 200, slots: SLOTS })
  await sell(fresh.pool.raw)
  await fresh.pool.raw.query('vacuum analyze')
  const user = await addUser(db, { merchantId: MERCHANT, kind: 'merchant_admin', grants: ['*'] })
  const token = await addSession(db, user.id, new Date())
  const server = await startApi(fresh)
  try {
    const post = (path: string, body: unknown) => ask(server, token, path, body)
    const warehouse = await post('/api/warehouses', { merchantId: MERCHANT, name: 'Store' })
    const plans: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const about = { warehouseId: warehouse.id, horizonDays: 14, coverDays: 3 }
      plans.push(await timed(() => post('/api/purchase-plans', about)))
    }
    const found = await sql<{ lines: number; slots: number }>`select count(*)::int as lines, sum(slots)::int as slots
      from purchase_plan_line where plan_id = (select max(id) from purchase_plan)`.execute(db)
    const { lines, slots } = must(found.rows[0], 'a plan')
    return [
      lineOf(`a purchase plan of ${digits(slots)} slots, ${lines} products`, plans, 30),
      lineOf(...(await day(db, post, { userId: user.id, warehouseId: Number(warehouse.id) })), 10),
    ]
  } finally {
    await server.stop()
    await fresh.close()
  }
}

function lineOf(what: string, seconds: readonly number[], atMost: number): Line {
  const sorted = seconds.toSorted((a, b) => a - b)
  const middle = must(sorted[Math.floor(sorted.length / 2)], 'a round')
  const anchor = `${digits(must(sorted[0], 'a round'))}–${digits(must(sorted.at(-1), 'a round'))} s`
  return { id: 'I3', what, ours: `${digits(middle)} s`, anchor, value: middle, unit: 's', goal: { atMost } }
}

type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>

async function ask({ port }: Server, token: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })
  const { data, ...rest } = (await answer.json()) as { data?: Record<string, unknown> }
  if (!answer.ok || !data) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(rest)}`)
  return data
}

type Pool = { query: (text: string) => Promise<unknown> }

/** Eight weeks of sales in the figures of days and as moves, and slots as they stand on a morning. */
async function sell(raw: Pool): Promise<void> {
  await raw.query(`do $$ begin
    set local session_replication_role = replica;
    update stock_move set moved_at = moved_at - interval '57 days' where cause = 'fill';
    update stock_level l set quantity = (s.position + s.layer * 3 + s.machine_id) % 10
    from slot s where s.place_id = l.place_id;
    update slot set capacity = 12, alarm_threshold = 2;
    insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type, orders,
      paid_fen)
    select current_date - n, m.id, m.merchant_id, m.point_id, 'wechat', 'sale', 20 + (m.id + n * 7) % 15, 10000
    from machine m, generate_series(1, ${SOLD_DAYS}) n;
    insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity, paid_fen)
    select current_date - n, m.id, m.merchant_id, s.product_id, sum((s.id + n) % 3), 500
    from machine m join slot s on s.machine_id = m.id, generate_series(1, ${SOLD_DAYS}) n group by 1, 2, 3, 4;
    insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
    select m.merchant_id, now() - n * interval '2 days', s.product_id, 1, s.place_id, p.id, 'vend', 'bench'
    from machine m join slot s on s.machine_id = m.id
    join place p on p.merchant_id = m.merchant_id and p.kind = 'customer', generate_series(1, 14) n;
    insert into stock_out (place_id, product_id, began_at, ended_at, ended_by)
    select s.place_id, s.product_id, now() - interval '9 days', now() - interval '8 days', 'goods'
    from slot s where s.id % 5 = 0;
  end $$`)
}

/** Driven by one person: 30 steps a visit, one visit after the other, as a phone sends that finds a network again. */
async function day(
  db: Reader,
  post: Post,
  { userId, warehouseId }: { userId: number; warehouseId: number },
): Promise<[string, number[]]> {
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference, cost_fen)
    select ${MERCHANT}, now(), p.id, 10000, o.id, w.place_id, 'purchase', 'bench', 2000000
    from product p, warehouse w, place o where w.id = ${warehouseId} and o.merchant_id = ${MERCHANT}
      and o.kind = 'supplier'`.execute(db)
  const chosen = await sql<{ id: number }>`select id from machine order by id limit ${sql.lit(VISITS)}`.execute(db)
  const machineIds = chosen.rows.map(({ id }) => id)
  const order = await post('/api/replenishment-orders', {
    warehouseId,
    replenisherId: userId,
    machineIds,
    coverDays: 3,
  })
  const path = `/api/replenishment-orders/${String(order.id)}`
  await post(`${path}/release`, {})
  await post(`${path}/load`, {})
  const drawn = await sql<{ id: number }>`select max(id) as id from outbound_order`.execute(db)
  const { id } = must(drawn.rows[0], 'its outbound order')
  const wanted = await sql<{ productId: number; batch: string; quantity: number }>`
    select product_id as "productId", '' as batch, quantity from outbound_line where outbound_id = ${id}`.execute(db)
  await post(`/api/outbound-orders/${id}/pick`, { picks: wanted.rows })
  await post(`/api/outbound-orders/${id}/load`, {})
  await post(`${path}/depart`, {})
  const slots = await sql<{ machineId: number; slotCode: string; productCode: string }>`
    select s.machine_id as "machineId", s.code as "slotCode", p.code as "productCode" from slot s
    join product p on p.id = s.product_id where s.machine_id = any(${machineIds}::bigint[])
    order by s.machine_id, s.layer, s.position`.execute(db)
  const phone = randomUUID()
  let steps = 0
  const seconds = await timed(async () => {
    for (const machineId of machineIds) {
      const own = slots.rows.filter((slot) => slot.machineId === machineId)
      const said = stepsOf(own.map(({ slotCode, productCode }) => ({ slotCode, productCode })))
      steps += said.length
      const about = { orderId: order.id, machineId, phone, sentAt: new Date().toISOString(), steps: said }
      await post('/api/visits', about)
    }
  })
  return [`a day of ${VISITS} visits, ${digits(steps)} steps, told at its end`, [seconds]]
}

function stepsOf(slots: readonly { slotCode: string; productCode: string }[]) {
  const said = [
    { kind: 'open' },
    ...slots.slice(0, 6).map((slot) => ({ kind: 'count', ...slot, counted: 5 })),
    ...slots.slice(6, 8).map((slot) => ({ kind: 'takeOut', ...slot, pieces: 1, why: 'damaged' })),
    ...slots.slice(8, 28).map((slot) => ({ kind: 'fill', ...slot, pieces: 4 })),
    { kind: 'done' },
  ]
  const occurredAt = new Date().toISOString()
  return said.map((step, at) => ({ id: randomUUID(), seq: at + 1, occurredAt, ...step }))
}
