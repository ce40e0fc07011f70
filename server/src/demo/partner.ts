import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import { DAY_MS, HOUR_MS } from './calendar'
import { takeIds } from './fleet'
import { handOut } from './handedOut'
import { idOf, type Ids } from './people'
import { randomFrom, seedOf } from './random'
import type { Traded } from './stock'

const DAYS = 14
const A_DAY = 5

/** Shipments that the operator's online shop asked one machine for, told back but for a few. */
export async function seedPartner(tx: Tx, traded: readonly Traded[], products: Ids, now: Date): Promise<void> {
  const config = await sql<{ id: number; machineId: number; path: string }>`
    update integration_config set interface_type = 'both'
    where child_class = 'ship_request' and machine_id is not null
    returning id, machine_id as "machineId", path`.execute(tx)
  const [asking] = config.rows
  const at = traded.find(({ machineId }) => machineId === asking?.machineId)
  if (!asking || !at) return
  const shipments = planned(at, products, now)
  if (shipments.length === 0) return
  const ids = await takeIds(tx, 'order_number', shipments.length)
  const made = shipments.map((each, i) => ({ ...each, orderId: ids[i] ?? 0, configId: asking.id }))
  await insertOrders(tx, made)
  await insertRequests(tx, made)
  await insertCallbacks(tx, asking.path, now)
  await handOut(
    tx,
    made.filter(({ isOut }) => isOut),
  )
  await sql`select setval('partner_order_no', ${made.length})`.execute(tx)
}

function planned({ machine, slots, slotIds, machineId, merchantId }: Traded, products: Ids, now: Date) {
  const random = randomFrom(seedOf(`${machine.code}/partner`))
  const able = slots.flatMap(({ code, product, priceFen }, at) =>
    product && priceFen && product.medicineClass === null
      ? [{ slotCode: code, productCode: product.code, priceFen, ...slotIds[at] }]
      : [],
  )
  if (able.length === 0) return []
  const times = Array.from({ length: DAYS * A_DAY }, () => now.getTime() - HOUR_MS - random.next() * DAYS * DAY_MS)
  return times
    .sort((a, b) => a - b)
    .map((ms, i) => {
      const slot = random.pick(able)
      const machineOrderNo = `OPEN-${i + 1}`
      const date = new Date(ms)
      const requestNo = `SHOP${date.toISOString().slice(2, 10).replaceAll('-', '')}${String(10_000 + i * 37)}`
      const body = JSON.stringify({ requestNo, machine: machine.code, items: [{ slot: slot.slotCode, quantity: 1 }] })
      const orderNo = `${machine.code}-${machineOrderNo}`
      const answer = {
        requestNo,
        orderNo,
        machine: machine.code,
        items: [{ index: 0, slot: slot.slotCode, product: slot.productCode }],
        acceptedAt: date.toISOString(),
      }
      return {
        index: 0,
        merchantId,
        machineId,
        machineOrderNo,
        orderNo,
        requestNo,
        body,
        hash: createHash('sha256').update(body).digest(),
        answer: JSON.stringify(answer),
        slotId: slot.slotId ?? 0,
        placeId: slot.placeId ?? 0,
        productId: idOf(products, slot.productCode),
        priceFen: slot.priceFen,
        at: date.toISOString(),
        isOut: !random.chance(0.06),
      }
    })
}

type Shipment = ReturnType<typeof planned>[number] & { orderId: number; configId: number }

const columns = {
  orderId: 'bigint',
  configId: 'bigint',
  merchantId: 'bigint',
  machineId: 'bigint',
  machineOrderNo: 'text',
  orderNo: 'text',
  requestNo: 'text',
  body: 'text',
  hash: 'bytea',
  answer: 'text',
  slotId: 'bigint',
  productId: 'bigint',
  priceFen: 'bigint',
  at: 'timestamptz',
  isOut: 'boolean',
} as const

/** Paid at the shop: they cost nothing here, and the books know no money of them. */
async function insertOrders(tx: Tx, shipments: readonly Shipment[]): Promise<void> {
  await sql`insert into order_number (order_id, order_no, merchant_id, machine_id, occurred_at)
    overriding system value
    select order_id, order_no, merchant_id, machine_id, at from ${rows('p', shipments, columns)}`.execute(tx)
  await sql`insert into orders (id, order_no, merchant_id, machine_id, point_id, occurred_at, machine_order_no,
      business_type, method, payment_state, ship_state, order_state, problem, item_count, total_fen, paid_fen,
      tender_code, received_at, business_day, paid_at, ship_sent_at, ship_received_at, finished_at)
    select p.order_id, p.order_no, p.merchant_id, p.machine_id, m.point_id, p.at, p.machine_order_no, 'sale', 'other',
      'paid', case when p.is_out then 'completed' else 'invalid' end, 'done',
      case when not p.is_out then 'undelivered' end, 1, 0, 0, p.request_no, p.at,
      (p.at at time zone m.time_zone)::date, p.at, p.at, p.at + interval '2 seconds', p.at + interval '17 seconds'
    from ${rows('p', shipments, columns)} join machine m on m.id = p.machine_id`.execute(tx)
  await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
      price_fen, cost_fen, state, motor_code, sensor_code, shipped_at)
    select p.merchant_id, p.at, p.order_id, 0, p.slot_id, p.product_id, p.price_fen, 0, product.cost_fen,
      case when p.is_out then 'dispensed' else 'jammed' end, '100', case when p.is_out then '01' else '03' end,
      p.at + interval '17 seconds'
    from ${rows('p', shipments, columns)} join product on product.id = p.product_id`.execute(tx)
}

async function insertRequests(tx: Tx, shipments: readonly Shipment[]): Promise<void> {
  await sql`insert into partner_request (config_id, merchant_id, machine_id, request_no, body_hash, body, answer,
      order_id, order_no, ip, created_at)
    select config_id, merchant_id, machine_id, request_no, hash, body, answer::json, order_id, order_no,
      '203.0.113.24', at
    from ${rows('p', shipments, columns)} order by at`.execute(tx)
  await sql`insert into device_command (id, merchant_id, machine_id, type, data, state, created_at, expires_at, sent_at,
      received_at, finished_at)
    select gen_random_uuid(), p.merchant_id, p.machine_id, 'ship',
      json_build_object('orderNo', p.machine_order_no)::jsonb, 'done', p.at, p.at + interval '1 minute', p.at,
      p.at + interval '2 seconds', p.at + interval '17 seconds'
    from ${rows('p', shipments, columns)}`.execute(tx)
}

/** Heard at once, mostly; one in nine at the second try. The newest is being told, and one was never heard. */
async function insertCallbacks(tx: Tx, path: string, now: Date): Promise<void> {
  await sql`with told as (
      select r.id, r.created_at + interval '18 seconds' as at, r.answer::jsonb as answer, i.state as item_state,
        row_number() over (order by r.id desc) as place
      from partner_request r join order_item i on i.order_id = r.order_id
    ), made as (
      insert into partner_callback (request_id, event, state, body, tries, next_try_at, created_at, delivered_at)
      select id, 'shipment.ended', case when place = 1 then 'waiting' when place = 9 then 'failed' else 'delivered' end,
        jsonb_build_object('event', 'shipment.ended', 'shipment', answer || jsonb_build_object('state',
          case item_state when 'dispensed' then 'dispensed' else 'failed' end))::text,
        case when place = 1 then 4 when place = 9 then 10 when place % 9 = 4 then 2 else 1 end,
        case when place = 1 then ${new Date(now.getTime() + 12 * 60_000)}::timestamptz end, at,
        case when place not in (1, 9)
          then at + case when place % 9 = 4 then interval '61 seconds' else interval '1 second' end
        end
      from told returning id, state, tries, created_at)
    insert into partner_try (callback_id, at, address, status, problem, answer, duration_ms)
    select made.id, made.created_at + interval '61 seconds' * (n - 1), ${path},
      case when made.state = 'delivered' then case when n = made.tries then 200 else 503 end end,
      case when made.state <> 'delivered' then 'ETIMEDOUT' end,
      case when made.state = 'delivered' and n = made.tries then '{"ok":true}' else '' end,
      80 + (made.id * 37 + n * 11) % 240
    from made cross join lateral generate_series(1, made.tries) n order by made.id, n`.execute(tx)
}
