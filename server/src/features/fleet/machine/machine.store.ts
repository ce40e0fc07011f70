import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { machineInSight, merchantInSight, type Sight } from '../../../kernel/scope'
import { insertSlots } from '../slot/slot.store'
import { type EditableRow, editableColumns } from './machine.columns'

export type MachineRow = EditableRow & {
  id: number
  code: string
  merchantId: number
  version: number
  isRetired: boolean
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<MachineRow | undefined> {
  const found = await sql<MachineRow>`
    select m.id, m.code, m.merchant_id as "merchantId", m.version, m.retired_at is not null as "isRetired",
      ${editableColumns}
    from machine m where m.id = ${id} and ${machineInSight(sight, sql`m.id`)} for update of m`.execute(tx)
  return found.rows[0]
}

/** 256 random bits; the hash is kept, the rest is told once. */
export function makeSecret(): { secret: string; secretHash: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, secretHash: createHash('sha256').update(secret).digest() }
}

export type NewMachine = {
  code: string
  name: string
  merchantId: number
  pointId: number
  routeId: number | null
  category: string
  licenceMode: string
  layers: number
  slotsPerLayer: number
  model: string
  manufacturer: string
  hardwareVersion: string
  manufacturedOn: string | null
  warrantyUntil: string | null
  temperatureMinC: number | null
  temperatureMaxC: number | null
  secretHash: Buffer
}

/** Machines with their states and empty slots, however many, in four statements. @returns ids by code */
export async function insertMachines(tx: Tx, machines: readonly NewMachine[], at: Date): Promise<Map<string, number>> {
  const made = await sql<{ id: number; code: string }>`
    insert into machine (merchant_id, point_id, route_id, code, name, category, licence_mode, model, manufacturer,
      hardware_version, manufactured_on, warranty_until, temperature_min_c, temperature_max_c, secret_hash, created_at,
      updated_at)
    select m.*, ${at}::timestamptz, ${at}::timestamptz from ${rows('m', machines, {
      merchantId: 'bigint',
      pointId: 'bigint',
      routeId: 'bigint',
      code: 'text',
      name: 'text',
      category: 'text',
      licenceMode: 'text',
      model: 'text',
      manufacturer: 'text',
      hardwareVersion: 'text',
      manufacturedOn: 'date',
      warrantyUntil: 'date',
      temperatureMinC: 'real',
      temperatureMaxC: 'real',
      secretHash: 'bytea',
    })} returning id, code`.execute(tx)
  const ids = new Map(made.rows.map(({ code, id }) => [code, id]))
  await sql`insert into machine_state (machine_id) select unnest(${[...ids.values()]}::bigint[])`.execute(tx)
  const sizes = machines.map(({ code, layers, slotsPerLayer }) => {
    return { id: must(ids.get(code), code), layers, slotsPerLayer }
  })
  const wanted = sql`
    select m.id as machine_id, m.merchant_id, m.code as machine_code, layer, position, 10 as capacity,
      1 as alarm_threshold, null::bigint as product_id, null::bigint as price_fen,
      chr(64 + layer) || lpad(position::text, 2, '0') as code
    from ${rows('n', sizes, { id: 'bigint', layers: 'int', slotsPerLayer: 'int' })} join machine m on m.id = n.id,
    generate_series(1, n.layers) layer, generate_series(1, n.slots_per_layer) position`
  await insertSlots(tx, wanted)
  await sql`select recount_slots(${[...ids.values()]}::bigint[])`.execute(tx)
  return ids
}

/**
 * Slots like those of another machine, empty: products that its own merchant does not have stay out.
 * @param id has no slots yet
 */
export async function copySlots(tx: Tx, fromId: number, id: number): Promise<void> {
  await insertSlots(
    tx,
    sql`select m.id as machine_id, m.merchant_id, m.code as machine_code, s.layer, s.position, s.capacity,
      s.alarm_threshold, p.id as product_id, case when p.id is not null then s.price_fen end as price_fen, s.code
    from machine m join merchant c on c.id = m.merchant_id join slot s on s.machine_id = ${fromId}
    left join product p on p.id = s.product_id and p.merchant_id = any(c.path)
    where m.id = ${id}`,
  )
  await sql`select recount_slots(${[id]}::bigint[])`.execute(tx)
}

type Placed = { code: string; productName: string; medicineClass: 'rx' | 'otc_a' | 'otc_b' | null }

/** What stands in its slots, and what is to come there with the next service. */
export async function findGoods(db: Reader, machineId: number): Promise<Placed[]> {
  const found = await sql<Placed>`
    select s.code, p.name as "productName", p.medicine_class as "medicineClass"
    from slot s join product p on p.id in (s.product_id, s.next_product_id) where s.machine_id = ${machineId}
    order by s.layer, s.position, p.id`.execute(db)
  return found.rows
}

/** What a machine hangs on, each a merchant's. */
export type Placing = 'point' | 'route' | 'organisation' | 'app_user'

/** Whose it is; nothing for one out of sight. */
export async function findOwner(db: Reader, sight: Sight, table: Placing, id: number): Promise<number | undefined> {
  const found = await sql<{ merchantId: number }>`select merchant_id as "merchantId" from ${sql.table(table)}
    where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
  return found.rows[0]?.merchantId
}

/** The name of a point that takes no more machines; undefined for one that does. */
export async function findStoppedPoint(db: Reader, id: number): Promise<string | undefined> {
  const found = await sql<{ name: string }>`select name from point where id = ${id} and state = 'stopped'`.execute(db)
  return found.rows[0]?.name
}

export async function pathOf(db: Reader, merchantId: number): Promise<number[]> {
  const found = await sql<{ path: number[] }>`select path from merchant where id = ${merchantId}`.execute(db)
  return found.rows[0]?.path ?? []
}

/** Pieces in the slots of a machine, and orders of it that are not over. */
export async function findHindrances(db: Reader, machineId: number): Promise<{ pieces: number; orders: number }> {
  const found = await sql<{ pieces: number; orders: number }>`select
      (select coalesce(sum(greatest(l.quantity, 0)), 0) from slot s join stock_level l on l.place_id = s.place_id
        where s.machine_id = ${machineId})::int as pieces,
      (select count(*) from orders where machine_id = ${machineId} and order_state = 'open')::int as orders`.execute(db)
  return found.rows[0] ?? { pieces: 0, orders: 0 }
}
