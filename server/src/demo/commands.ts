import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import type { Planned, SlotIds } from './network/fleet'
import { DEMO_OPERATOR } from './data/merchants'
import { type Ids, idOf } from './people/people'
import { randomFrom, seedOf } from './random'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Around = {
  network: readonly Planned[]
  slotIds: readonly SlotIds[]
  machines: Ids
  merchants: Ids
  users: Ids
  products: Ids
  now: Date
}

/** The same at every seeding, so that a batch, its commands and a test may refer to each other. */
const uuidOf = (name: string): string => {
  const hex = createHash('sha256').update(`demo/${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What people asked of machines lately: self-checks, a batch, tests, goods let out from afar, software in waves. */
export async function seedCommands(tx: Tx, around: Around): Promise<void> {
  await seedChecks(tx, around)
  await seedBatch(tx, around)
  await seedTests(tx, around)
  await seedRemoteShips(tx, around)
  await seedSoftware(tx, around)
}

/** Of the merchant whose people the demo's accounts are. */
const ownOf = ({ network }: Around) =>
  network.map((planned, at) => ({ ...planned, at })).filter(({ machine }) => machine.merchant === DEMO_OPERATOR)

const cooled = new Set(['drink', 'combo', 'medicine'])
const wearing = ['light_curtain', 'printer', 'coin_acceptor', 'door_sensor', 'card_reader']

/** Four in five were checked in the last days; a tenth of them has a part that is worn. */
async function seedChecks(tx: Tx, around: Around): Promise<void> {
  const { network, machines, merchants, users, now } = around
  const checks = network.flatMap(({ machine, slots }) => {
    const random = randomFrom(seedOf(`${machine.code}/check`))
    if (!random.chance(0.8)) return []
    const worn = random.chance(0.1) ? random.pick(wearing) : null
    const parts = ['main_board', 'driver_board', 'light_curtain', 'door_sensor', 'temperature_sensor', 'card_reader']
    if (cooled.has(machine.category)) parts.push('compressor')
    if (machine.takesCash) parts.push('coin_acceptor')
    const said = [
      ...parts.map((part) => (part === worn ? { part, ok: false, code: 'noAnswer' } : { part, ok: true })),
      ...slots.map(({ code, fault }) => ({ part: 'motor', slot: code, ok: fault === null, code: fault ?? '100' })),
    ]
    const failing = [...new Set(said.filter(({ ok }) => !ok).map(({ part }) => part))]
    return [
      {
        id: uuidOf(`check/${machine.code}`),
        machineId: idOf(machines, machine.code),
        merchantId: idOf(merchants, machine.merchant),
        at: new Date(now.getTime() - random.between(1, 60) * HOUR_MS),
        parts: JSON.stringify(said),
        partCount: said.length,
        failing: failing.join(','),
      },
    ]
  })
  const columns = {
    id: 'uuid',
    machineId: 'bigint',
    merchantId: 'bigint',
    at: 'timestamptz',
    parts: 'jsonb',
    partCount: 'int',
    failing: 'text',
  } as const
  await sql`insert into device_command (id, merchant_id, machine_id, type, data, state, reason, created_by, created_at,
      expires_at, sent_at, received_at, finished_at, result)
    select id, merchant_id, machine_id, 'self_check', '{}', 'done', '每周例行自检', ${idOf(users, 'maintainer')}, at,
      at + interval '10 minutes', at, at + interval '1 second', at + interval '5 seconds',
      jsonb_build_object('parts', parts)
    from ${rows('c', checks, columns)}`.execute(tx)
  await sql`insert into self_check (merchant_id, machine_id, command_id, checked_at, parts, part_count, failing)
    select merchant_id, machine_id, id, at, parts, part_count,
      case when failing = '' then '{}' else string_to_array(failing, ',') end
    from ${rows('c', checks, columns)}`.execute(tx)
}

/** Volumes turned down for the night, yesterday: most did it, some were away. */
async function seedBatch(tx: Tx, around: Around): Promise<void> {
  const { machines, merchants, users, now } = around
  const at = new Date(now.getTime() - 26 * HOUR_MS)
  const own = ownOf(around).slice(0, 40)
  const batchId = uuidOf('batch/volume')
  const reason = '夜间降低音量'
  const data = JSON.stringify({ volume: 20 })
  await sql`insert into command_batch (id, merchant_id, type, data, reason, created_by, created_at, asked, left_out)
    values (${batchId}, ${idOf(merchants, DEMO_OPERATOR)}, 'set_volume_or_screen', ${data}::jsonb, ${reason},
      ${idOf(users, 'operator')}, ${at}, ${own.length + 2}, '{"retired": 2}')`.execute(tx)
  const commands = own.map(({ machine }, n) => ({
    id: uuidOf(`volume/${machine.code}`),
    machineId: idOf(machines, machine.code),
    merchantId: idOf(merchants, machine.merchant),
    state: n % 13 === 5 ? 'failed' : n % 17 === 9 ? 'refused' : 'done',
    detail: n % 13 === 5 ? 'interrupted' : n % 17 === 9 ? 'unknownCommand' : null,
  }))
  await sql`insert into device_command (id, merchant_id, machine_id, type, data, state, detail, reason, created_by,
      created_at, expires_at, sent_at, received_at, finished_at, batch_id)
    select id, merchant_id, machine_id, 'set_volume_or_screen', ${data}::jsonb, state, detail, ${reason},
      ${idOf(users, 'operator')}, ${at}, ${at}::timestamptz + interval '7 days', ${at},
      ${at}::timestamptz + interval '1 second', ${at}::timestamptz + interval '2 seconds', ${batchId}
    from ${rows('c', commands, {
      id: 'uuid',
      merchantId: 'bigint',
      machineId: 'bigint',
      state: 'text',
      detail: 'text',
    })}`.execute(tx)
}

/** A layer of a few machines after repairs, everything put back. */
async function seedTests(tx: Tx, around: Around): Promise<void> {
  const { machines, merchants, users, products, slotIds, now } = around
  for (const [n, { machine, slots, at: index }] of ownOf(around).slice(0, 5).entries()) {
    const at = new Date(now.getTime() - ((4 - n) * 19 + 3) * HOUR_MS)
    const layer = slots.map((slot, k) => ({ ...slot, k })).filter((slot) => slot.layer === 1)
    const failed = n === 1
    const made = await sql<{ id: number }>`insert into machine_test (merchant_id, machine_id, scope, puts_back, reason,
        state, started_by, started_at, ended_at, note)
      values (${idOf(merchants, machine.merchant)}, ${idOf(machines, machine.code)}, 'layer', true, '更换电机后复测',
        ${failed ? 'failed' : 'passed'}, ${idOf(users, 'maintainer')}, ${at},
        ${new Date(at.getTime() + layer.length * 6_000)}, ${failed ? '第一个货道弹簧卡住，已报修' : ''}) returning id`.execute(
      tx,
    )
    const testId = made.rows[0]?.id ?? 0
    const lines = layer.map(({ code, product, k }, place) => ({
      place: place + 1,
      slotId: slotIds[index]?.[k]?.slotId ?? 0,
      code,
      productId: product ? idOf(products, product.code) : null,
      ok: !(failed && place === 0),
    }))
    await sql`insert into machine_test_slot (test_id, place, slot_id, slot_code, product_id, state, motor_code,
        sensor_code, duration_ms, ended_at)
      select ${testId}, place, slot_id, code, product_id, case when ok then 'passed' else 'failed' end, '100',
        case when ok then '01' else '03' end, 3200 + place * 90, ${at}
      from ${rows('l', lines, {
        place: 'int',
        slotId: 'bigint',
        code: 'text',
        productId: 'bigint',
        ok: 'boolean',
      })}`.execute(tx)
  }
}

/** Requests that no machine took in time, so that nothing of the stock is told twice; one still waits for an eye. */
async function seedRemoteShips(tx: Tx, around: Around): Promise<void> {
  const { machines, merchants, users, products, slotIds, now } = around
  const words = ['顾客反映扫码后屏幕黑屏', '换货：包装破损', '顾客投诉，主管同意赠送'] as const
  const ships = ownOf(around)
    .slice(5, 11)
    .flatMap(({ machine, slots, at: index }, n) => {
      const k = slots.findIndex(({ product }) => product !== null)
      const slot = slots[k]
      if (!slot?.product) return []
      const id = uuidOf(`ship/${machine.code}`)
      const state = n === 0 ? 'unknown' : n % 2 === 0 ? 'refused' : 'expired'
      return [
        {
          id,
          orderNo: `RS-${id.replaceAll('-', '').slice(0, 20)}`,
          machineId: idOf(machines, machine.code),
          merchantId: idOf(merchants, machine.merchant),
          code: slot.code,
          placeId: slotIds[index]?.[k]?.placeId ?? 0,
          productId: idOf(products, slot.product.code),
          reason: words[n % words.length] ?? words[0],
          state,
          detail: state === 'unknown' ? 'interrupted' : state === 'refused' ? 'busy' : null,
          at: new Date(now.getTime() - (n * 31 + 2) * HOUR_MS),
        },
      ]
    })
  const userId = idOf(users, 'operator')
  const columns = {
    id: 'uuid',
    orderNo: 'text',
    machineId: 'bigint',
    merchantId: 'bigint',
    code: 'text',
    placeId: 'bigint',
    productId: 'bigint',
    reason: 'text',
    state: 'text',
    detail: 'text',
    at: 'timestamptz',
  } as const
  await sql`insert into device_command (id, merchant_id, machine_id, type, data, state, detail, reason, created_by,
      created_at, expires_at, sent_at, finished_at)
    select id, merchant_id, machine_id, 'ship', jsonb_build_object('orderNo', order_no, 'items',
        jsonb_build_array(jsonb_build_object('index', 0, 'slot', code))),
      case state when 'unknown' then 'failed' else state end, detail, reason, ${userId}, at, at + interval '1 minute',
      at, at + interval '1 minute'
    from ${rows('s', ships, columns)}`.execute(tx)
  await sql`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no, command_id,
      cost_fen, reason, state, detail, created_by, created_at, finished_at)
    select s.merchant_id, s.machine_id, s.code, s.place_id, s.product_id, s.order_no, s.id, p.cost_fen, s.reason,
      s.state, s.detail, ${userId}, s.at, s.at + interval '1 minute'
    from ${rows('s', ships, columns)} join product p on p.id = s.product_id order by s.at`.execute(tx)
}

/** The version that most run went out a month ago in the usual waves; the next one lies ready. */
async function seedSoftware(tx: Tx, around: Around): Promise<void> {
  const { machines, merchants, users, now } = around
  const merchantId = idOf(merchants, DEMO_OPERATOR)
  const userId = idOf(users, 'merchant')
  const at = new Date(now.getTime() - 30 * DAY_MS)
  const sumOf = (version: string) => createHash('sha256').update(version).digest('hex')
  const made = await sql<{ id: number; version: string }>`insert into app_package
      (merchant_id, version, url, sha256, notes, created_by, created_at)
    values (${merchantId}, '3.8.2', 'https://software.example.com/app-3.8.2.bin', ${sumOf('3.8.2')},
        '修复光幕误报；缩短出货等待', ${userId}, ${at}),
      (${merchantId}, '3.9.0', 'https://software.example.com/app-3.9.0.bin', ${sumOf('3.9.0')},
        '新的支付界面，支持远程拍照', ${userId}, ${new Date(now.getTime() - DAY_MS)})
    returning id, version`.execute(tx)
  const packageId = made.rows.find(({ version }) => version === '3.8.2')?.id ?? 0
  const rollout = await sql<{ id: number }>`insert into rollout (merchant_id, package_id, reason, waves,
      failure_limit_percent, state, wave, created_by, created_at, ended_at)
    values (${merchantId}, ${packageId}, '光幕误报较多', '{1,10,50,100}', 5, 'done', 4, ${userId}, ${at},
      ${new Date(at.getTime() + 3 * DAY_MS)}) returning id`.execute(tx)
  const own = ownOf(around)
  const placed = own.map(({ machine }, n) => {
    const share = ((n + 1) / own.length) * 100
    return {
      machineId: idOf(machines, machine.code),
      wave: n === 0 ? 1 : share <= 10 ? 2 : share <= 50 ? 3 : 4,
      state: n % 31 === 17 ? 'failed' : n % 23 === 11 ? 'missed' : 'done',
      detail: n % 31 === 17 ? 'checksumDiffers' : null,
    }
  })
  await sql`insert into rollout_machine (rollout_id, machine_id, wave, state, detail)
    select ${rollout.rows[0]?.id}, machine_id, wave, state, detail
    from ${rows('p', placed, { machineId: 'bigint', wave: 'int', state: 'text', detail: 'text' })}`.execute(tx)
}
