import { getBatch, retryBatch } from '@aisle/contract/device/batch'
import {
  applyTemplate,
  getTemplateRun,
  previewTemplate,
  previewTemplateMachine,
  releaseMachines,
} from '@aisle/contract/planogram/apply'
import {
  addTemplate,
  copyTemplate,
  editTemplate,
  getTemplate,
  importTemplates,
  listParentTemplates,
  listTemplates,
  makeTemplate,
  removeTemplate,
} from '@aisle/contract/planogram/template'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes as commandRoutes } from '../device/command/command.routes'
import { routes } from './template.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let above: number
let merchantId: number
let token: string
let tokenAbove: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...commandRoutes))
  const { db } = world.services
  above = await addMerchant(db, { parentId: await addMerchant(db) })
  merchantId = await addMerchant(db, { parentId: above })
  const enter = async (of: number) =>
    addSession(db, (await addUser(db, { merchantId: of, grants: ['template.*', 'machine.*', 'command.*'] })).id, NOON)
  token = await enter(merchantId)
  tokenAbove = await enter(above)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Call = [endpoint: Parameters<HttpWorld['call']>[0], input?: Record<string, unknown>, as?: string]
const call = async (...[endpoint, input, as = token]: Call) => {
  const { status, body } = await http.call(endpoint, input, { token: as })
  return { status, code: body.code, data: body.data as Record<string, unknown>, body }
}
const product = (medicineClass?: 'rx') =>
  addProduct(world.services.db, { merchantId, ...(medicineClass ? { medicineClass } : {}) })
const machine = (products: { id: number; code: string }[], more: Partial<Parameters<typeof addMachine>[1]> = {}) =>
  addMachine(world.services.db, { merchantId, products, ...more })
const line = (position: number, productId: number | null, more: Record<string, unknown> = {}) => ({
  layer: 1,
  position,
  productId,
  priceFen: productId === null ? null : 500,
  capacity: 10,
  alarmThreshold: 1,
  ...more,
})
const add = async (name: string, slots: unknown[], more: Record<string, unknown> = {}) =>
  Number((await call(addTemplate, { merchantId, name, slots, ...more })).data.id)
const named = (...machines: BuiltMachine[]) => ({ machineIds: machines.map(({ id }) => id) })
const reason = 'Spring range'
const slotsOf = async ({ id }: BuiltMachine) =>
  (
    await sql<{ code: string; product_id: number | null; price_fen: number | null }>`
      select code, product_id, price_fen from slot where machine_id = ${id} order by layer, position`.execute(
      world.services.db,
    )
  ).rows

test('an application changes what may change, tells them in one batch, and leaves refused ones whole', async () => {
  const [a, b] = [await product(), await product()]
  const free = await machine([a, a], { stock: 0 })
  const full = await machine([a, a], { stock: 3 })
  const same = await machine([b], { stock: 0 })
  const thermostat = { mode: 'cooling', workingC: 5, periods: [{ from: '08:00', to: '20:00' }] }
  const id = await add('Spring', [line(1, b.id, { priceFen: 650 }), line(2, a.id), line(3, null)], {
    temperatureMinC: 2,
    temperatureMaxC: 8,
    flowAlarmMb: 10_240,
    thermostat,
  })
  const machines = named(free, full)
  const seen = await call(previewTemplate, { id, machines })
  expect(seen.data).toMatchObject({ version: 1, count: 2, outcomes: { holdsStock: 1, changes: 1 } })
  expect(seen.data.items).toMatchObject([
    { code: full.code, outcome: 'holdsStock', refusedSlots: ['A1'] },
    {
      code: free.code,
      added: 1,
      removed: 0,
      changed: 1,
      prices: 1,
      settings: ['flowAlarmMb', 'temperature', 'thermostat'],
    },
  ])
  const lines = await call(previewTemplateMachine, { id, machineId: free.id })
  expect(lines.data.slots).toMatchObject([
    { code: 'A03', kind: 'added', before: null },
    { code: 'A1', kind: 'changed', before: { priceFen: 500 }, after: { priceFen: 650 } },
  ])
  const applied = await call(applyTemplate, { id, version: 1, machines, reason })
  expect(applied.data).toMatchObject({ applied: 1, same: 0, refused: 1 })
  expect(await slotsOf(free)).toEqual([
    { code: 'A1', product_id: b.id, price_fen: 650 },
    { code: 'A2', product_id: a.id, price_fen: 500 },
    { code: 'A03', product_id: null, price_fen: null },
  ])
  expect((await slotsOf(full)).map(({ product_id }) => product_id)).toEqual([a.id, a.id])
  const run = await call(getTemplateRun, { id, batch: applied.data.batchId })
  expect(run.data).toMatchObject({ total: 1, states: { queued: 1 }, items: [{ code: free.code, state: 'queued' }] })
  const told = await sql<{ data: Record<string, unknown> }>`select data from device_command
    where machine_id = ${free.id} and type = 'push_template'`.execute(world.services.db)
  expect(told.rows[0]?.data).toMatchObject({
    version: 1,
    settings: { flowAlarmMb: 10_240, temperatureMaxC: 8, thermostat },
  })
  // Again, now taking out what is inside: one is the same already, the other changes.
  const again = await call(applyTemplate, { id, version: 1, machines, removeContents: true, reason })
  expect(again.data).toMatchObject({ applied: 1, same: 1, refused: 0 })
  expect((await call(getTemplate, { id })).data).toMatchObject({ machineCount: 2, behindCount: 0, runs: [{}, {}] })
  expect(await slotsOf(same)).toHaveLength(1)
})

test('a plan that failed is not sent again to a machine that may not sell it any more', async () => {
  const { db } = world.services
  const rx = await product('rx')
  const [kept, lost] = [
    await machine([rx], { licenceMode: 'hospital', stock: 0 }),
    await machine([rx], { licenceMode: 'hospital', stock: 0 }),
  ]
  const id = await add('Ward', [line(1, rx.id, { priceFen: 900 })])
  const { data } = await call(applyTemplate, { id, version: 1, machines: named(kept, lost), reason })
  await sql`update device_command set state = 'failed', finished_at = created_at where type = 'push_template'
    and machine_id in (${kept.id}, ${lost.id})`.execute(db)
  await sql`update machine set licence_mode = 'retail' where id = ${lost.id}`.execute(db)
  const batch = await sql<{ id: number }>`select seq as id from command_batch
    where id = ${data.batchId}`.execute(db)
  const again = await call(retryBatch, { id: batch.rows[0]?.id ?? 0, reason: 'once more' })
  expect(again.data).toMatchObject({ asked: 1 })
  const sent = await sql<{ id: number }>`select machine_id as id from device_command
    where type = 'push_template' and state = 'queued' and machine_id in (${kept.id}, ${lost.id})`.execute(db)
  expect(sent.rows).toEqual([{ id: kept.id }])
  const made = await call(getBatch, { id: again.data.id })
  expect(made.data.leftOut).toEqual([{ block: 'forbidden', count: 1 }])
})

test('a plan that failed is not sent again over what was changed since, and says so where nobody is left', async () => {
  const { db } = world.services
  const a = await product()
  const changed = await machine([a], { stock: 0 })
  const id = await add('Old prices', [line(1, a.id, { priceFen: 900 })])
  const { data } = await call(applyTemplate, { id, version: 1, machines: named(changed), reason })
  await sql`update device_command set state = 'expired', finished_at = created_at
    where type = 'push_template' and machine_id = ${changed.id}`.execute(db)
  const batch = await sql<{ id: number }>`select seq as id from command_batch where id = ${data.batchId}`.execute(db)
  const retry = () => call(retryBatch, { id: batch.rows[0]?.id ?? 0, reason: 'once more' })
  await sql`update machine set plan_version = plan_version + 1 where id = ${changed.id}`.execute(db)
  const refused = await retry()
  expect([refused.status, refused.code]).toEqual([409, 'batch.noneMay'])
  await sql`update machine set plan_version = plan_version - 1 where id = ${changed.id}`.execute(db)
  expect((await retry()).data).toMatchObject({ asked: 1 })
})

test('what a licence forbids is refused where it holds, and a filter that finds others is told', async () => {
  const [rx, a] = [await product('rx'), await product()]
  const retail = await machine([a], { licenceMode: 'retail', stock: 0 })
  const hospital = await machine([a], { licenceMode: 'hospital', stock: 0 })
  const id = await add('Medicines', [line(1, rx.id)])
  const seen = await call(previewTemplate, { id, machines: named(retail, hospital) })
  expect(seen.data.items).toMatchObject([
    { code: retail.code, outcome: 'unlawful', refusedSlots: ['A1'] },
    { code: hospital.code, outcome: 'changes' },
  ])
  const alone = await call(applyTemplate, { id, version: 1, machines: named(retail), reason })
  expect([alone.status, alone.code]).toEqual([409, 'template.nothingToApply'])
  const filter = { q: hospital.code }
  expect((await call(previewTemplate, { id, machines: { filter, count: null } })).data.count).toBe(1)
  const other = await call(applyTemplate, { id, version: 1, machines: { filter, count: 7 }, reason })
  expect(other.code).toBe('template.machinesChanged')
  const done = await call(applyTemplate, { id, version: 1, machines: { filter, count: 1 }, reason })
  expect(done.data).toMatchObject({ applied: 1 })
})

test('a template that changed since it was previewed, or was edited meanwhile, is told', async () => {
  const a = await product()
  const id = await add('Moving', [line(1, a.id)])
  const edit = (version: number, name: string) => call(editTemplate, { id, version, name, slots: [line(1, a.id)] })
  expect((await edit(1, 'Moved')).status).toBe(200)
  const stale = await edit(1, 'Elsewhere')
  expect([stale.code, stale.body.fields]).toEqual([
    'edit.stale',
    expect.arrayContaining([expect.objectContaining({ path: 'name' })]),
  ])
  const old = await machine([a], { stock: 0 })
  expect((await call(applyTemplate, { id, version: 1, machines: named(old), reason })).code).toBe('edit.stale')
})

test('one in use is not deleted, and names its machines; released, it is', async () => {
  const a = await product()
  const user = await machine([a], { stock: 0 })
  const id = await add('Used', [line(1, a.id, { capacity: 9 })])
  await call(applyTemplate, { id, version: 1, machines: named(user), reason })
  const refused = await call(removeTemplate, { id })
  expect([refused.status, refused.code]).toEqual([409, 'request.inUse'])
  expect(JSON.stringify(refused.body.fields)).toContain(user.code)
  expect((await call(releaseMachines, { id, machineIds: [user.id] })).data).toEqual({ released: 1 })
  expect((await call(removeTemplate, { id })).status).toBe(200)
})

test('of the templates above, those of a taken name are not imported, and the answer says which', async () => {
  const shared = await addProduct(world.services.db, { merchantId: above })
  const of = async (name: string) =>
    Number((await call(addTemplate, { merchantId: above, name, slots: [line(1, shared.id)] }, tokenAbove)).data.id)
  const ids = [await of('Summer'), await of('Autumn')]
  await add('Autumn', [line(1, null)])
  expect((await call(getTemplate, { id: ids[0] })).status).toBe(404)
  const offered = await call(listParentTemplates, { id: merchantId })
  expect(offered.data.items).toMatchObject([
    { name: 'Autumn', isTaken: true },
    { name: 'Summer', isTaken: false },
  ])
  const imported = await call(importTemplates, { id: merchantId, templateIds: ids })
  expect(imported.data).toEqual({ imported: ['Summer'], skipped: ['Autumn'] })
  expect((await call(listTemplates, { q: 'Summer' })).data).toMatchObject({ items: [{ slotCount: 1 }] })
  expect((await call(listTemplates.count, { q: 'Summer' })).data).toEqual({ total: 1 })
  const own = await add('Own', [line(1, null)])
  expect((await call(importTemplates, { id: merchantId, templateIds: [own] })).status).toBe(404)
})

test('a template is made of a machine or of another one; a name is given once a merchant', async () => {
  const a = await product()
  const source = await machine([a, a], { stock: 2, priceFen: 450 })
  const made = await call(makeTemplate, { id: source.id, name: 'As in the hall' })
  const detail = await call(getTemplate, { id: made.data.id })
  expect(detail.data).toMatchObject({ slotCount: 2, slots: [{ priceFen: 450 }, { priceFen: 450 }] })
  expect((await call(makeTemplate, { id: source.id, name: 'As in the hall' })).code).toBe('template.nameTaken')
  const copied = await call(copyTemplate, { id: made.data.id, name: 'Copy' })
  expect((await call(getTemplate, { id: copied.data.id })).data).toMatchObject({ slotCount: 2, machineCount: 0 })
})

test.each([
  ['no slot', { slots: [] }],
  ['layer 0', { slots: [line(1, null, { layer: 0 })] }],
  ['layer 11', { slots: [line(1, null, { layer: 11 })] }],
  ['slot 11', { slots: [line(11, null)] }],
  ['a place twice', { slots: [line(1, null), line(1, null)] }],
  ['a flow above 10240 M', { flowAlarmMb: 10_241 }],
  ['temperatures upside down', { temperatureMinC: 8, temperatureMaxC: 2 }],
  [
    'four periods',
    { thermostat: { mode: 'constant', workingC: 20, periods: Array(4).fill({ from: '01:00', to: '02:00' }) } },
  ],
])('%s is refused', async (_, more) => {
  const answer = await call(addTemplate, { merchantId, name: 'Wrong', slots: [line(1, null)], ...more })
  expect([answer.status, answer.code]).toEqual([422, 'request.invalid'])
})
