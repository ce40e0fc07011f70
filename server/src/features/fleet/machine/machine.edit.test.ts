import { addMachine, bringBackMachine, editMachine, retireMachine } from '@aisle/contract/fleet/machineForm'
import { getMachine, listMachines, listSlots, rotateSecret } from '@aisle/contract/fleet/machine'
import { bindMachines, copySettings } from '@aisle/contract/fleet/machineBatch'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Branch } from '../../../testing/fixtures'
import { addMachine as buildMachine, addMerchant, addProduct } from '../../../testing/builders'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { jobs as owedJobs } from '../../device/sale/owed.jobs'
import { routes } from './machine.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let ours: Branch
let theirs: Branch
let platformId: number
let token: string
let admin: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  ;({ ours, theirs, platformId } = await addFamily(db, NOON))
  const user = await addUser(db, { merchantId: ours.merchantId, grants: ['*'] })
  token = await addSession(db, user.id, NOON)
  const root = await addUser(db, { merchantId: platformId, grants: ['*'], kind: 'platform_admin' })
  admin = await addSession(db, root.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Json = Record<string, unknown>
const ask = async (endpoint: Parameters<HttpWorld['call']>[0], input: Json, as = token) => {
  const { status, body } = await http.call(endpoint, input, { token: as })
  return { status, code: body.code, msg: String(body.msg), data: (body.data ?? {}) as Json }
}
const pointOf = async (machineId: number) =>
  (await sql<{ id: number }>`select point_id as id from machine where id = ${machineId}`.execute(world.services.db))
    .rows[0]?.id ?? 0
const fresh = async (code: string, more: Json = {}) => {
  const pointId = await pointOf(ours.ids.machines ?? 0)
  const input = { code, name: code, merchantId: ours.merchantId, pointId, category: 'combo', ...more }
  return ask(addMachine, input)
}
const detail = async (id: number) => (await ask(getMachine, { id })).data
const editing = (now: Json) => {
  const names = Object.keys(editMachine.input.shape)
  return Object.fromEntries(names.filter((name) => name in now).map((name) => [name, now[name]]))
}

test('a new machine has its layers of empty slots and a secret that is told once', async () => {
  const made = await fresh('NEW001', { layers: 3, slotsPerLayer: 4 })
  expect([made.status, String(made.data.secret).length]).toEqual([200, 43])
  const slots = (await ask(listSlots, { id: made.data.id })).data.items as Json[]
  expect(slots.map(({ code }) => code)).toEqual(
    ['A', 'B', 'C'].flatMap((layer) => ['01', '02', '03', '04'].map((position) => layer + position)),
  )
  expect(await detail(Number(made.data.id))).toMatchObject({ slotCount: 12, connection: 'unknown', conditions: [] })
  const twice = await fresh('NEW001')
  expect([twice.status, twice.code]).toEqual([409, 'machine.codeTaken'])
})

test('a machine stands at a point of its own merchant only', async () => {
  const foreign = await pointOf(theirs.ids.machines ?? 0)
  expect((await fresh('NEW002', { pointId: foreign })).code).toBe('request.notFound')
  const input = { code: 'NEW002', name: 'X', merchantId: ours.merchantId, pointId: foreign, category: 'combo' }
  expect((await ask(addMachine, input, admin)).code).toBe('machine.otherMerchant')
})

test('an edit keeps what was asked, tells the thermostat once, and refuses who read an older version', async () => {
  const { data } = await fresh('NEW003')
  const id = Number(data.id)
  const now = await detail(id)
  const thermostat = { mode: 'cooling', workingC: 6, periods: [{ from: '08:00', to: '20:00' }] }
  const wanted = {
    ...editing(now),
    name: 'Renamed',
    temperatureMinC: 2,
    temperatureMaxC: 8,
    thermostat,
    cabinetType: 'cooled',
  }
  const saved = await ask(editMachine, { ...wanted, id })
  expect([saved.status, saved.data.version]).toEqual([200, 2])
  expect(await detail(id)).toMatchObject({
    name: 'Renamed',
    temperatureMaxC: 8,
    thermostat,
    cabinetType: 'cooled',
    version: 2,
  })
  const stale = await ask(editMachine, { ...wanted, name: 'Older', id })
  expect([stale.status, stale.code]).toEqual([409, 'edit.stale'])
  const upside = await ask(editMachine, { ...wanted, version: 2, temperatureMinC: 9, id })
  expect(upside.status).toBe(422)
  const limits = await sql<{ most: number }>`select temperature_max_c as most from machine_state
    where machine_id = ${id}`.execute(world.services.db)
  expect(limits.rows[0]?.most).toBe(8)
  const owed = await sql`select 1 from graphile_worker.jobs
    where task_identifier = 'device.tellSettings'`.execute(world.services.db)
  expect(owed.rows).toHaveLength(1)
})

test('what changed of a machine since it was told goes out as one command each', async () => {
  const { db } = world.services
  const { data } = await fresh('NEW026')
  const id = Number(data.id)
  const now = await detail(id)
  const thermostat = { mode: 'heating', workingC: 21, periods: [] }
  const changed = await ask(editMachine, { ...editing(now), licenceMode: 'retail', thermostat, id })
  expect(changed.status).toBe(200)
  expect((await detail(id)).isLicenceQueued).toBe(false)
  const tell = owedJobs.find(({ name }) => name === 'device.tellSettings')
  await tell?.run(world.services, {})
  await tell?.run(world.services, {})
  const sent = await sql`select type, data from device_command where machine_id = ${id} order by type`.execute(db)
  expect(sent.rows).toEqual([
    { type: 'set_license_mode', data: { mode: 'retail' } },
    { type: 'set_thermostat', data: thermostat },
  ])
  expect((await detail(id)).isLicenceQueued).toBe(true)
})

test('a merchant without a pharmacy has no machine for medicine, made or changed', async () => {
  const { db } = world.services
  const { data } = await fresh('NEW027')
  const id = Number(data.id)
  const now = await detail(id)
  await sql`update machine set licence_mode = 'none' where merchant_id = ${ours.merchantId}`.execute(db)
  await sql`update merchant set has_pharmacy = false where id = ${ours.merchantId}`.execute(db)
  const refused = [
    await fresh('NEW028', { licenceMode: 'hospital' }),
    await ask(editMachine, { ...editing(now), licenceMode: 'retail', name: 'Not kept', id }),
  ]
  await sql`update merchant set has_pharmacy = true where id = ${ours.merchantId}`.execute(db)
  expect(refused.map(({ status, code }) => [status, code])).toEqual([
    [409, 'machine.noPharmacy'],
    [409, 'machine.noPharmacy'],
  ])
  expect(await detail(id)).toMatchObject({ name: now.name, version: now.version })
})

test('a retired machine for medicine comes back only to a merchant with a pharmacy', async () => {
  const { db } = world.services
  const { merchantId } = ours
  await sql`update machine set licence_mode = 'none' where merchant_id = ${merchantId}`.execute(db)
  const { data } = await fresh('NEW029', { licenceMode: 'retail' })
  const id = Number(data.id)
  expect((await ask(retireMachine, { id, reason: 'Broken' })).status).toBe(200)
  await sql`update merchant set has_pharmacy = false where id = ${merchantId}`.execute(db)
  expect((await ask(bringBackMachine, { id })).code).toBe('machine.noPharmacy')
  await sql`update merchant set has_pharmacy = true where id = ${merchantId}`.execute(db)
  expect((await ask(bringBackMachine, { id })).code).toBe('H0000')
})

test('a stopped point takes no more machines, neither one by one nor in a batch', async () => {
  const { data } = await fresh('NEW017')
  const id = Number(data.id)
  const point = await sql<{
    id: number
  }>`insert into point (merchant_id, name, kind, province, city, address, longitude,
      latitude, state) select merchant_id, 'Closed hall', kind, province, city, address, longitude, latitude, 'stopped'
    from point where id = ${await pointOf(id)} returning id`.execute(world.services.db)
  const pointId = point.rows[0]?.id ?? 0
  const refused = [
    await fresh('NEW018', { pointId }),
    await ask(editMachine, { ...editing(await detail(id)), pointId, id }),
    await ask(bindMachines, { ids: [id], pointId }),
  ]
  expect(refused.map(({ status, code }) => [status, code])).toEqual(
    Array.from({ length: 3 }, () => [409, 'machine.pointStopped']),
  )
})

test('a licence that forbids what lies in the slots is not given up', async () => {
  const { db } = world.services
  const medicine = await addProduct(db, { merchantId: ours.merchantId, medicineClass: 'rx' })
  const built = await buildMachine(db, {
    merchantId: ours.merchantId,
    products: [medicine],
    licenceMode: 'hospital',
    stock: 0,
  })
  const now = await detail(built.id)
  const refused = await ask(editMachine, { ...editing(now), licenceMode: 'retail', id: built.id })
  expect([refused.status, refused.code]).toEqual([422, 'machine.licenceForbids'])
})

test('a machine is retired empty and leaves the lists; it gets no secret until it comes back, stopped', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId: ours.merchantId })
  const full = await buildMachine(db, { merchantId: ours.merchantId, products: [product], stock: 3 })
  expect((await ask(retireMachine, { id: full.id, reason: 'worn out' })).code).toBe('machine.hasStock')
  const { data } = await fresh('NEW004')
  const id = Number(data.id)
  const before = await sql<{ hash: Buffer }>`select secret_hash as hash from machine where id = ${id}`.execute(db)
  expect((await ask(retireMachine, { id, reason: 'worn out' })).status).toBe(200)
  const after = await sql<{ hash: Buffer }>`select secret_hash as hash from machine where id = ${id}`.execute(db)
  expect(after.rows[0]?.hash.equals(before.rows[0]?.hash ?? Buffer.alloc(0))).toBe(false)
  const listed = async (more: Json = {}) =>
    ((await ask(listMachines, { code: 'NEW004', ...more })).data.items as Json[]).length
  expect([await listed(), await listed({ service: 'retired' })]).toEqual([0, 1])
  expect((await ask(rotateSecret, { id })).code).toBe('machine.retired')
  const back = await ask(bringBackMachine, { id })
  expect([back.status, String(back.data.secret).length]).toEqual([200, 43])
  // Its own word is that it sells: it has not heard of the stop yet.
  expect(await detail(id)).toMatchObject({ operation: 'stop_wanted', service: 'in_service' })
})

test('what an empty machine wants for ends when it is retired, with why, and begins when it is back', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId: ours.merchantId })
  const { id, slots } = await buildMachine(db, { merchantId: ours.merchantId, products: [product], stock: 2 })
  const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
  const outs = async () =>
    (
      await sql`select began_at as began, ended_at as ended, ended_by as "by" from stock_out
        where place_id = any(${slots.map(({ placeId }) => placeId)}::bigint[]) order by began_at`.execute(db)
    ).rows
  const place = await sql<{ id: number }>`insert into place (merchant_id, kind) values (${ours.merchantId}, 'customer')
    on conflict (merchant_id, kind) where kind in ('supplier', 'customer', 'scrap') do update set kind = excluded.kind
    returning id`.execute(db)
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference) select ${ours.merchantId}, ${NOON}, l.product_id, l.quantity, l.place_id, ${place.rows[0]?.id}, 'vend',
      'test' from slot s join stock_level l on l.place_id = s.place_id where s.machine_id = ${id}`.execute(db)
  expect(await outs()).toEqual([{ began: NOON, ended: null, by: null }])
  try {
    world.setNow(at(5))
    expect((await ask(retireMachine, { id, reason: 'worn out' })).status).toBe(200)
    expect(await outs()).toEqual([{ began: NOON, ended: at(5), by: 'retirement' }])
    world.setNow(at(9))
    await ask(bringBackMachine, { id })
    expect((await outs())[1]).toEqual({ began: at(9), ended: null, by: null })
  } finally {
    world.setNow(NOON)
  }
})

test('a machine goes to another merchant with its goods and its places, and not with open orders', async () => {
  const { db } = world.services
  const child = await addMerchant(db, { parentId: ours.merchantId })
  const product = await addProduct(db, { merchantId: ours.merchantId })
  const machine = await buildMachine(db, { merchantId: ours.merchantId, products: [product], stock: 5 })
  const outcome = async (input: Json) => (await ask(bindMachines, { ids: [machine.id], ...input })).data.outcomes
  expect(await outcome({ merchantId: child })).toEqual([{ id: machine.id, outcome: 'done' }])
  const held = await sql<{ merchant: number; quantity: number }>`
    select p.merchant_id as merchant, l.quantity from slot s join place p on p.id = s.place_id
    join stock_level l on l.place_id = p.id where s.machine_id = ${machine.id}`.execute(db)
  expect(held.rows).toEqual([{ merchant: child, quantity: 5 }])
  expect(await outcome({ merchantId: child })).toEqual([{ id: machine.id, outcome: 'same' }])
  expect((await ask(bindMachines, { ids: [theirs.ids.machines], merchantId: child })).code).toBe('request.notFound')
})

test('what hangs on a machine by the word of its old owner ends when it goes to another', async () => {
  const { db } = world.services
  const [here, there, partner] = [ours.merchantId, theirs.merchantId, await addMerchant(db, { parentId: platformId })]
  const machine = await buildMachine(db, { merchantId: here, products: [] })
  await sql`insert into machine_grant_merchant (machine_id, merchant_id) values (${machine.id}, ${partner})`.execute(db)
  await sql`with g as (insert into machine_group (merchant_id, name, created_at)
      values (${here}, 'Ours', ${NOON}), (${platformId}, 'All', ${NOON}) returning id)
    insert into machine_group_member (group_id, machine_id, added_at) select id, ${machine.id}, ${NOON} from g`.execute(
    db,
  )
  await sql`with a as (insert into official_account (merchant_id, platform, app_id, name, link, created_at)
      values (${here}, 'wechat_account', 'wxleft0001', 'Ours', 'https://example.org/a', ${NOON}) returning id)
    insert into official_account_machine (machine_id, platform, account_id)
    select ${machine.id}, 'wechat_account', id from a`.execute(db)
  await sql`insert into stock_alarm_rule (merchant_id, machine_id, empty, updated_at)
    values (${here}, ${machine.id}, 3, ${NOON})`.execute(db)
  await sql`with t as (insert into template (merchant_id, name, created_at, updated_at)
      values (${here}, 'Ours', ${NOON}, ${NOON}) returning id)
    insert into template_use (machine_id, template_id, version, applied_at) select ${machine.id}, id, 1, ${NOON}
    from t`.execute(db)
  const point = await pointOf(theirs.ids.machines ?? 0)
  const moved = await ask(bindMachines, { ids: [machine.id], merchantId: there, pointId: point }, admin)
  expect(moved.data.outcomes).toEqual([{ id: machine.id, outcome: 'done' }])
  const left = await sql<Json>`select
      (select count(*)::int from machine_grant_merchant where machine_id = ${machine.id}) as shown,
      (select count(*)::int from official_account_machine where machine_id = ${machine.id}) as accounts,
      (select array_agg(g.name) from machine_group_member m join machine_group g on g.id = m.group_id
        where m.machine_id = ${machine.id}) as groups,
      (select merchant_id from stock_alarm_rule where machine_id = ${machine.id}) as rule,
      (select count(*)::int from template_use where machine_id = ${machine.id}) as templates,
      (select action || ' ' || grantee_id from machine_grant_log order by id desc limit 1) as log`.execute(db)
  expect(left.rows).toEqual([
    { shown: 0, accounts: 0, groups: ['All'], rule: there, templates: 0, log: `revoke ${partner}` },
  ])
})

test('settings are copied in the groups that were named, and no others', async () => {
  const [from, to] = [Number((await fresh('NEW005')).data.id), Number((await fresh('NEW006')).data.id)]
  const now = await detail(from)
  await ask(editMachine, { ...editing(now), id: from, autoRefund: false, model: 'X1', upliftPermille: 50 })
  const copied = await ask(copySettings, { ids: [to, from], fromId: from, what: ['flags', 'sales'] })
  expect(copied.data.outcomes).toEqual([
    { id: to, outcome: 'done' },
    { id: from, outcome: 'same' },
  ])
  expect(await detail(to)).toMatchObject({ autoRefund: false, upliftPermille: 50, model: '' })
})
