import { sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import type { Caller } from '../events/public'
import { resultOf } from './result.rules'

type Row = {
  requestNo: string
  orderNo: string
  machine: string
  acceptedAt: string
  endedAt: string | null
  shipState: string
  items: { index: number; slot: string; product: string; state: string; motorCode: string | null }[]
}

type OpenShipment = Omit<Row, 'shipState'> & { state: string }

/** As its caller may see it: what was accepted, and what came of each piece. */
export async function findShipment(db: Reader, caller: Caller, requestNo: string): Promise<OpenShipment | undefined> {
  return read(db, sql`r.config_id = ${caller.id} and r.request_no = ${requestNo}`)
}

export const shipmentById = (db: Reader, id: number): Promise<OpenShipment | undefined> => read(db, sql`r.id = ${id}`)

async function read(db: Reader, where: ReturnType<typeof sql>): Promise<OpenShipment | undefined> {
  const found = await sql<Row>`
    select r.request_no as "requestNo", r.order_no as "orderNo", m.code as machine,
      ${iso('r.created_at')} as "acceptedAt", ${iso('o.finished_at')} as "endedAt", o.ship_state as "shipState",
      (select json_agg(json_build_object('index', i.index, 'slot', s.code, 'product', p.code, 'state', i.state,
          'motorCode', i.motor_code, 'sensorCode', i.sensor_code, 'batch', i.batch, 'traceCode', i.trace_code,
          'shippedAt', i.shipped_at) order by i.index)
        from order_item i join slot s on s.id = i.slot_id join product p on p.id = i.product_id
        where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id) as items
    from partner_request r join machine m on m.id = r.machine_id join order_number n on n.order_no = r.order_no
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where ${where}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const { shipState, ...told } = row
  return {
    ...told,
    state: resultOf(
      shipState,
      row.items.map(({ state }) => state),
    ),
  }
}

type Slot = {
  slot: string
  product: string | null
  name: string | null
  priceFen: number | null
  stock: number
  capacity: number
}

/** Slots of a machine of the caller's, by code; `nextCursor` is null on the last page. */
export async function slotsPage(
  db: Reader,
  caller: Caller,
  code: string,
  { cursor = '', pageSize }: { cursor?: string | undefined; pageSize: number },
): Promise<{ machine: string; items: Slot[]; nextCursor: string | null } | undefined> {
  const machine = await sql<{ id: number }>`select id from machine where code = ${code} and retired_at is null
    and merchant_id = ${caller.merchantId}
    and (${caller.machineId}::bigint is null or id = ${caller.machineId})`.execute(db)
  const id = machine.rows[0]?.id
  if (id === undefined) return undefined
  const found = await sql<Slot>`
    select s.code as slot, p.code as product, p.name, s.price_fen as "priceFen", coalesce(l.quantity, 0) as stock,
      s.capacity
    from slot s left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${id} and s.code > ${cursor} order by s.code limit ${sql.lit(pageSize + 1)}`.execute(db)
  const items = found.rows.slice(0, pageSize)
  return { machine: code, items, nextCursor: found.rows.length > pageSize ? (items.at(-1)?.slot ?? null) : null }
}
