import * as contract from '@aisle/contract/purchase/supplier'
import { addSupplierProduct, editSupplierProduct, getSupplierProduct } from '@aisle/contract/purchase/supplierProduct'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './supplier'
import { followAllPapers } from './supplier.jobs'
import { routes as productRoutes } from './supplierProduct'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let rootId: number
let merchantId: number
let buyer: string
let other: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...productRoutes))
  rootId = await addMerchant(world.services.db)
  merchantId = await addMerchant(world.services.db, { parentId: rootId })
  const [first, second] = [await person(), await person()]
  buyer = first
  other = second
})
afterAll(async () => {
  await http.close()
  await world.close()
})

async function person(): Promise<string> {
  const { db } = world.services
  const user = await addUser(db, { merchantId, grants: ['supplier.*'] })
  return addSession(db, user.id, NOON)
}

type Call = Parameters<HttpWorld['call']>
const call = async (endpoint: Call[0], input: Call[1], token = buyer) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const add = async (name: string, deliversMedicine = false) =>
  Number((await call(contract.addSupplier, { merchantId, name, deliversMedicine })).data.id)
const paper = (id: number, kind: contract.PaperKind, validTo: string | null = '2027-11-20') =>
  call(contract.addPaper, { id, kind, number: `${kind}-1`, validFrom: '2026-01-01', validTo })
const stateOf = async (id: number) => (await call(contract.getSupplier, { id })).data.state

test('a supplier is qualified by another person, once what the law asks for was shown', async () => {
  const id = await add('Wholesale', true)
  expect((await call(contract.submitSupplier, { id })).code).toBe('supplier.papers')
  for (const kind of ['business', 'medicineTrade', 'quality', 'sales'] as const) await paper(id, kind)
  expect((await call(contract.getSupplier, { id })).data).toMatchObject({ missing: [], nextEnd: '2027-11-20' })
  expect((await call(contract.submitSupplier, { id })).status).toBe(200)
  expect((await call(contract.approveSupplier, { id })).code).toBe('supplier.ownRequest')
  expect((await call(contract.approveSupplier, { id }, other)).status).toBe(200)
  expect((await call(contract.approveSupplier, { id }, other)).code).toBe('supplier.state')
  expect(await stateOf(id)).toBe('qualified')
})

test('two who approve at once: one does it, the other is told', async () => {
  const id = await add('Twice')
  await paper(id, 'business')
  await call(contract.submitSupplier, { id })
  const third = await person()
  const answers = await Promise.all([other, third].map((token) => call(contract.approveSupplier, { id }, token)))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
})

test('a paper that ended yesterday suspends at its hour, a new one brings it back, a revoked one at once', async () => {
  const id = await add('Ending')
  await paper(id, 'business', '2026-11-20')
  await call(contract.submitSupplier, { id })
  await call(contract.approveSupplier, { id }, other)
  await followAllPapers(world.services)
  expect(await stateOf(id)).toBe('qualified')
  await followAllPapers({ ...world.services, clock: { now: () => new Date('2026-11-20T16:00:01Z') } })
  expect(await stateOf(id)).toBe('suspended')
  // Asked on the day itself it is whole: a second run of the job finds it so.
  await followAllPapers(world.services)
  expect(await stateOf(id)).toBe('qualified')
  const { papers } = (await call(contract.getSupplier, { id })).data as { papers: { id: number; state: string }[] }
  expect(papers.map(({ state }) => state)).toEqual(['expiring'])
  expect((await call(contract.revokePaper, { id, paperId: papers[0]?.id, reason: 'Withdrawn' })).status).toBe(200)
  expect((await call(contract.revokePaper, { id, paperId: papers[0]?.id, reason: 'Withdrawn' })).code).toBe(
    'paper.revoked',
  )
  expect(await stateOf(id)).toBe('suspended')
  expect((await call(contract.listSuppliers, { state: 'suspended' })).data).toMatchObject({
    items: [{ id, missing: ['business'] }],
  })
  await call(contract.addPaper, { id, kind: 'business', number: 'business-2', validFrom: '2026-11-20' })
  expect(await stateOf(id)).toBe('qualified')
})

test('papers are asked as they are: one is recorded once, and does not end before it begins', async () => {
  const id = await add('Papers')
  await paper(id, 'business')
  expect((await paper(id, 'business')).code).toBe('paper.taken')
  expect((await paper(id, 'quality', '2025-01-01')).code).toBe('paper.period')
  expect((await add('Other supplier')) > 0).toBe(true)
  expect((await call(contract.addSupplier, { merchantId, name: 'Papers' })).code).toBe('supplier.nameTaken')
})

test('a bank account is sealed, and only its end is shown or logged', async () => {
  const id = await add('Paid')
  const account = { id, bank: 'ICBC', accountHolder: 'Paid Ltd', accountNumber: '6222021234567890' }
  expect((await call(contract.putSupplierAccount, account)).status).toBe(200)
  expect((await call(contract.getSupplier, { id })).data).toMatchObject({ bank: 'ICBC', account: '•••• 7890' })
  const kept = await sql<{ text: string }>`select (to_jsonb(s) || coalesce((select jsonb_agg(l) from audit_log l
      where l.object_kind = 'supplier' and l.object_id = s.id::text), '[]'))::text as text
    from supplier s where s.id = ${id}`.execute(world.services.db)
  expect(kept.rows[0]?.text).toContain('7890')
  expect(kept.rows[0]?.text).not.toContain('6222021234567890')
})

test('prices hold from their day and number of packs on; two that begin alike are refused', async () => {
  const { db } = world.services
  const supplierId = await add('Priced')
  const product = await addProduct(db, { merchantId })
  const prices = [
    { fromOn: '2026-01-01', fromPacks: 1, priceFen: 2500 },
    { fromOn: '2026-01-01', fromPacks: 10, priceFen: 2400 },
    { fromOn: '2026-12-01', fromPacks: 1, priceFen: 2600 },
  ]
  const input = { merchantId, supplierId, productId: product.id, packUnits: 24, leadDays: 3, prices }
  const id = Number((await call(addSupplierProduct, input)).data.id)
  expect((await call(addSupplierProduct, input)).code).toBe('supplierProduct.taken')
  expect((await call(getSupplierProduct, { id })).data).toMatchObject({ packFen: 2500, pieceFen: 104, packUnits: 24 })
  const [first] = prices
  const { merchantId: _m, supplierId: _s, productId: _p, ...terms } = input
  const twice = { id, version: 1, ...terms, prices: [first, first] }
  expect((await call(editSupplierProduct, twice)).code).toBe('supplierProduct.prices')
  const better = { id, version: 1, ...terms, prices: [{ ...first, priceFen: 2300 }] }
  expect((await call(editSupplierProduct, better)).status).toBe(200)
  expect((await call(getSupplierProduct, { id })).data).toMatchObject({ packFen: 2300 })
  const theirs = await addProduct(db, { merchantId: await addMerchant(db, { parentId: rootId }) })
  expect((await call(addSupplierProduct, { ...input, productId: theirs.id })).code).toBe('supplierProduct.unknown')
  expect((await call(contract.removeSupplier, { id: supplierId })).code).toBe('request.inUse')
})
