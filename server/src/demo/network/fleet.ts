import { createHash, randomBytes } from 'node:crypto'
import { b64u } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { DAY_MS, HOUR_MS } from '../calendar'
import { givenNames, surnames } from '../data/names'
import { rooms } from '../data/places'
import type { DemoMachine, DemoPoint } from './network'
import { idOf, type Ids } from '../people/people'
import type { DemoSlot } from './planogram'
import { randomFrom, seedOf } from '../random'

/** A machine as planned, and what it sells from. */
export type Planned = { machine: DemoMachine; slots: readonly DemoSlot[] }

/** Before now; a machine that is put up today has been there for as long. */
export const PUT_UP_MS = 3 * HOUR_MS

/** Not from the seed: 256 bits that nobody can guess. @returns secrets by machine code */
export const makeSecrets = (planned: readonly Planned[]): ReadonlyMap<string, string> =>
  new Map(planned.map(({ machine }) => [machine.code, b64u(randomBytes(32))]))

/** @returns ids by machine code */
export async function seedMachines(
  tx: Tx,
  planned: readonly Planned[],
  merchantIds: Ids,
  { secrets, now }: { secrets: ReadonlyMap<string, string>; now: Date },
): Promise<Ids> {
  const points = new Map(planned.map(({ machine }) => [machine.point.name, machine.point]))
  const pointIds = await seedPoints(tx, [...points.values()], merchantIds)
  const machines = planned.map(({ machine }) => ({
    ...machine,
    merchantId: idOf(merchantIds, machine.merchant),
    pointId: idOf(pointIds, machine.point.name),
    secretHash: createHash('sha256')
      .update(secrets.get(machine.code) ?? '')
      .digest(),
    deployedAt: new Date(now.getTime() - machine.deployedDaysAgo * DAY_MS - PUT_UP_MS),
  }))
  const made = await sql<{ id: number; code: string }>`
    insert into machine (merchant_id, point_id, code, name, category, model, manufacturer, licence_mode, country,
      time_zone, operation, temperature_min_c, temperature_max_c, secret_hash, deployed_at, created_at,
      cabinet_type)
    select m.*, m.deployed_at, case when m.temperature_max_c <= 15 then 'cooled' else 'ambient' end from ${rows(
      'm',
      machines,
      {
        merchantId: 'bigint',
        pointId: 'bigint',
        code: 'text',
        name: 'text',
        category: 'text',
        model: 'text',
        manufacturer: 'text',
        licenceMode: 'text',
        country: 'text',
        timeZone: 'text',
        operation: 'text',
        temperatureMinC: 'real',
        temperatureMaxC: 'real',
        secretHash: 'bytea',
        deployedAt: 'timestamptz',
      },
    )} returning id, code`.execute(tx)
  const ids = new Map(made.rows.map(({ code, id }) => [code, id]))
  await seedStates(tx, planned, ids, now)
  return ids
}

/** The sites with their contracts. */
async function seedPoints(tx: Tx, points: readonly DemoPoint[], merchantIds: Ids): Promise<Ids> {
  const placed = points.map(({ merchant, region: _, ...point }) => {
    const random = randomFrom(seedOf(`${point.name}/contract`))
    return {
      ...point,
      merchantId: idOf(merchantIds, merchant),
      building: random.pick(rooms[point.kind]),
      floor: random.pick(['1 层', '1 层', '2 层', '负一层']),
      contact: random.pick(surnames) + random.pick(givenNames),
      phone: `13${random.between(5, 9)}${random.between(10_000_000, 99_999_999)}`,
      // A shop of one's own asks no rent.
      rentFen: point.kind === 'store' ? 0 : random.between(3, 40) * 10_000,
      state: random.chance(0.02) ? ('stopped' as const) : ('active' as const),
    }
  })
  const made = await tx.insertInto('point').values(placed).returning(['id', 'name']).execute()
  return new Map(made.map(({ name, id }) => [name, id]))
}

/** As the machines last spoke before the network was moved here; none is connected until it says so itself. */
async function seedStates(tx: Tx, planned: readonly Planned[], machineIds: Ids, now: Date): Promise<void> {
  const states = planned.map(({ machine }) => {
    const random = randomFrom(seedOf(`${machine.code}/state`))
    const { temperatureMinC: least, temperatureMaxC: most } = machine
    const middle = least === null || most === null ? null : (least + most) / 2
    return {
      machineId: idOf(machineIds, machine.code),
      lastSeenAt: new Date(now.getTime() - random.between(20, 900) * 1000),
      appVersion: random.pick(['3.8.2', '3.8.2', '3.8.1', '3.7.6']),
      boardVersion: random.pick(['1.14', '1.14', '1.12']),
      temperatureC: middle === null ? null : Math.round((middle + (random.next() - 0.5) * 4) * 10) / 10,
      lowChange: machine.takesCash && random.chance(0.05),
    }
  })
  await sql`insert into machine_state
      (machine_id, last_seen_at, beat_at, app_version, board_version, temperature_c, temperature_at, low_change,
        door_open)
    select s.machine_id, s.last_seen_at, s.last_seen_at, s.app_version, s.board_version, s.temperature_c,
      case when s.temperature_c is not null then s.last_seen_at end, s.low_change, false from ${rows('s', states, {
        machineId: 'bigint',
        lastSeenAt: 'timestamptz',
        appVersion: 'text',
        boardVersion: 'text',
        temperatureC: 'real',
        lowChange: 'boolean',
      })}`.execute(tx)
}

export async function seedSlots(
  tx: Tx,
  planned: readonly Planned[],
  ids: { machines: Ids; merchants: Ids; products: Ids },
): Promise<void> {
  const total = planned.reduce((sum, { slots }) => sum + slots.length, 0)
  const placeIds = await takeIds(tx, 'place', total)
  const slotIds = await takeIds(tx, 'slot', total)
  const all = planned.flatMap(({ machine, slots }) =>
    slots.map((slot) => ({
      ...slot,
      machineId: idOf(ids.machines, machine.code),
      merchantId: idOf(ids.merchants, machine.merchant),
      name: `${machine.code} ${slot.code}`,
      productId: slot.product ? idOf(ids.products, slot.product.code) : null,
    })),
  )
  const numbered = all.map((slot, index) => ({ ...slot, id: slotIds[index] ?? 0, placeId: placeIds[index] ?? 0 }))
  await sql`insert into place (id, merchant_id, kind, name) select place_id, merchant_id, 'slot', name
    from ${rows('p', numbered, { placeId: 'bigint', merchantId: 'bigint', name: 'text' })}`.execute(tx)
  await sql`insert into slot (id, machine_id, code, layer, position, place_id, product_id, capacity, alarm_threshold,
      price_fen, choice, fault)
    select * from ${rows('s', numbered, {
      id: 'bigint',
      machineId: 'bigint',
      code: 'text',
      layer: 'int',
      position: 'int',
      placeId: 'bigint',
      productId: 'bigint',
      capacity: 'int',
      alarmThreshold: 'int',
      priceFen: 'bigint',
      choice: 'text',
      fault: 'text',
    })}`.execute(tx)
}

/** Numbers from the table's own sequence, so that rows which refer to each other can be written in one go. */
async function takeIds(tx: Tx, table: 'place' | 'slot', count: number): Promise<number[]> {
  const taken = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count})`.execute(tx)
  return taken.rows.map(({ id }) => id)
}
