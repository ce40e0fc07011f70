import { addProduct, listProducts } from '@aisle/contract/catalog/product'
import {
  addMedicine,
  editMedicine,
  getMedicine,
  listMedicines,
  removeMedicine,
  takeOffline,
} from '@aisle/contract/medicine/medicine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { catalog } from '../catalog/manifest'
import { medicine } from './manifest'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(catalog.routes ?? []), ...(medicine.routes ?? [])))
  family = await addFamily(world.services.db, NOON)
  merchantId = family.ours.merchantId
  const user = await addUser(world.services.db, { merchantId, grants: ['medicine.*', 'product.*', 'category.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown>, body }
}
const ibuprofen = (code: string, more: Record<string, unknown> = {}) => ({
  merchantId,
  code,
  name: '布洛芬缓释胶囊',
  picture: '/pictures/box.png',
  costFen: 980,
  priceFen: 1880,
  medicineClass: 'otc_a',
  approvalNumber: '国药准字H20093458',
  dosageForm: 'slowCapsule',
  storage: 'cool',
  ingredients: ['Ibuprofen', 'ibuprofen'],
  notFor: ['pregnant'],
  maxDailyUnits: 2.5,
  minAge: 12,
  tracePrefixes: [
    { level: 'case', prefix: '8123457' },
    { level: 'pack', prefix: '8123456' },
  ],
  ...more,
})
const add = async (code: string, more: Record<string, unknown> = {}) =>
  Number((await call(addMedicine, ibuprofen(code, more))).data.id)
const found = async (filter: Record<string, unknown>) =>
  ((await call(listMedicines, filter)).data.items as { code: string }[]).map(({ code }) => code)

test('a medicine is a product with what the law asks of it, and is found by all of that', async () => {
  const id = await add('IBU-1', { manufacturer: '中美天津制药' })
  expect((await call(getMedicine, { id })).data).toMatchObject({
    code: 'IBU-1',
    medicineClass: 'otc_a',
    state: 'online',
    dosageForm: 'slowCapsule',
    ingredients: ['ibuprofen'],
    maxDailyUnits: 2.5,
    tracePrefixes: [
      { level: 'pack', prefix: '8123456' },
      { level: 'case', prefix: '8123457' },
    ],
  })
  for (const q of ['布洛芬', 'buluofen', 'blfhsjn', 'ibu-1', 'h20093458', 'Ibuprofen', '中美'])
    expect(await found({ q })).toEqual(['IBU-1'])
  expect(await found({ medicineClass: 'rx' })).toEqual([])
  expect(await found({ storage: 'cool', q: 'IBU' })).toEqual(['IBU-1'])
  const products = (await call(listProducts, { kind: 'medicine', code: 'IBU-1' })).data.items
  expect(products).toEqual([expect.objectContaining({ code: 'IBU-1', medicineClass: 'otc_a' })])
})

test('medicines of a limited group are found by it, and by several', async () => {
  await add('COUGH-1', { limitGroup: 'codeine' })
  await add('COLD-1', { limitGroup: 'ephedrine' })
  expect(await found({ limitGroup: 'codeine' })).toEqual(['COUGH-1'])
  expect((await found({ limitGroup: 'codeine,ephedrine' })).toSorted()).toEqual(['COLD-1', 'COUGH-1'])
  expect(await found({ limitGroup: 'licorice' })).toEqual([])
})

test('the form of a dosage is said in the words of the dictionary', async () => {
  await add('SYRUP-1', { dosageForm: 'syrup' })
  const { items } = (await call(listMedicines, { code: 'SYRUP-1' })).data as { items: { dosageFormName: string }[] }
  expect(items[0]?.dosageFormName).toBe('糖浆剂')
})

test('a change is kept and audited with price and class; a second save over it is told of both parts', async () => {
  const id = await add('EDIT-1')
  const { data: read } = await call(getMedicine, { id })
  const { merchantId: _, code: _code, ...typed } = ibuprofen('EDIT-1')
  const edit = (more: Record<string, unknown>) => call(editMedicine, { id, version: read.version, ...typed, ...more })
  expect(await edit({ medicineClass: 'otc_b', priceFen: 1990, storage: 'cold' })).toMatchObject({ status: 200 })
  expect((await call(getMedicine, { id })).data).toMatchObject({
    medicineClass: 'otc_b',
    priceFen: 1990,
    storage: 'cold',
  })
  const second = await edit({ priceFen: 2090, storage: 'room' })
  expect(second.code).toBe('edit.stale')
  const paths = (second.body.fields as { path: string }[]).map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['priceFen', 'storage', 'medicineClass', 'version']))
  const audited = await sql<{ before: object; after: object }>`select before, after from audit_log
    where object_kind = 'medicine' and object_id = ${String(id)} order by id desc limit 1`.execute(world.services.db)
  expect(audited.rows[0]).toMatchObject({ before: { storage: 'cool' }, after: { storage: 'cold' } })
})

test('an unusual approval number is kept; what can not be is refused and nothing is left', async () => {
  expect(await add('OLD-1', { approvalNumber: '卫药准字(1995)第1号' })).toBeGreaterThan(0)
  for (const wrong of [
    { medicineClass: undefined },
    { tracePrefixes: [{ level: 'pack', prefix: '8' }] },
    { ingredients: ['a,b'] },
    { minAge: 0 },
    { maxDailyUnits: -1 },
    { picture: null },
  ]) {
    expect((await call(addMedicine, ibuprofen('WRONG-1', wrong))).status).toBe(422)
  }
  expect(await found({ code: 'WRONG-1' })).toEqual([])
})

test('goods are no medicine: its calls do not find them', async () => {
  const goods = { merchantId, code: 'COLA-9', name: 'Cola', picture: '/pictures/c.png', costFen: 1, priceFen: 2 }
  const id = Number((await call(addProduct, goods)).data.id)
  expect((await call(takeOffline, { id })).code).toBe('request.notFound')
  expect((await call(getMedicine, { id })).code).toBe('request.notFound')
})

test('a medicine is taken offline, and deleted while nothing speaks of it', async () => {
  const id = await add('GONE-1')
  expect((await call(takeOffline, { id })).status).toBe(200)
  expect(await found({ state: 'offline' })).toEqual(['GONE-1'])
  expect((await call(removeMedicine, { id })).status).toBe(200)
  expect((await call(getMedicine, { id })).code).toBe('request.notFound')
})
