import * as contract from '@aisle/contract/advice/price'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { sold } from '../testing.sold'
import { openWorld, type World } from '../../../testing/world'
import { jobs as changeJobs } from '../../planogram/priceChange/change.jobs'
import { recommendPrices, turnPriceTrials } from './price.jobs'
import { routes } from './price.routes'

const DAY_MS = 86_400_000
const NOW = new Date(Date.now() + 40 * DAY_MS)
let world: World
let http: HttpWorld
let merchantId: number
let ownId: number
let strangerId: number
let machines: BuiltMachine[]
let productId: number

beforeAll(async () => {
  world = await openWorld(NOW)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  const userOf = async (id: number) => (await addUser(db, { merchantId: id, grants: ['product.read', 'slot.*'] })).id
  ownId = await userOf(merchantId)
  strangerId = await userOf(otherId)
  const product = await addProduct(db, { merchantId })
  const other = await addProduct(db, { merchantId })
  productId = product.id
  machines = []
  for (let n = 0; n < 16; n += 1) {
    const priceFen = n < 12 ? 500 : 600
    machines.push(await addMachine(db, { merchantId, products: [product, other], priceFen }))
  }
  for (const machine of machines) {
    await sell(machine, other.id, 20, 500, -28, 28)
    await sell(machine, productId, 10, 500, -28, 28)
  }
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const sell = (machine: BuiltMachine, productId: number, pieces: number, fen: number, from: number, days: number) =>
  sold(world.services.db, NOW, { machineId: machine.id, productId, pieces, fen, from, days })

type Asked = Parameters<HttpWorld['call']>
const call = async (endpoint: Asked[0], input: Asked[1], by = ownId) => {
  const token = await addSession(world.services.db, by, world.services.clock.now())
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const after = (days: number) => world.setNow(new Date(NOW.getTime() + days * DAY_MS))
const advised = async (by = ownId) =>
  ((await call(contract.listPriceAdvice, {}, by)).data.items as contract.PriceAdvice[]).find(
    (each) => each.productId === productId,
  )
const detail = async (id: number) => (await call(contract.getPriceAdvice, { id })).data as contract.PriceAdviceDetail
async function applied() {
  const found = await sql<{ id: number }>`select id from price_change where state in ('applying', 'undoing')`.execute(
    world.services.db,
  )
  for (const { id } of found.rows) await changeJobs[0]?.run(world.services, { changeId: id })
}
async function pricesOf(control: boolean) {
  const found = await sql<{ fen: number }>`select distinct s.price_fen::int as fen from price_trial_machine c
    join slot s on s.machine_id = c.machine_id and s.product_id = ${productId}
    where c.is_control = ${control}
      and c.trial_id = (select max(id) from price_trial)`.execute(world.services.db)
  return found.rows.map(({ fen }) => fen)
}
async function sides() {
  const found = await sql<{ id: number; isControl: boolean }>`select machine_id as id, is_control as "isControl"
    from price_trial_machine where trial_id = (select max(id) from price_trial)`.execute(world.services.db)
  return new Map(found.rows.map(({ id, isControl }) => [id, isControl]))
}

test('where dearer machines sell as much a trial is advised, measured, and gives the prices back', async () => {
  await recommendPrices(world.services)
  await recommendPrices(world.services)
  const one = await advised()
  expect(one).toMatchObject({
    verdict: 'raise',
    nowFen: 500,
    advisedFen: 550,
    machines: 16,
    prices: 2,
    trialState: null,
  })
  const id = one?.id ?? 0
  expect(await detail(id)).toMatchObject({
    mayTake: 12,
    demand: [
      { fen: 500, machines: 12 },
      { fen: 600, machines: 4 },
    ],
  })
  expect((await call(contract.startPriceTrial, { id, toFen: 500 })).code).toBe('priceTrial.same')
  expect((await call(contract.startPriceTrial, { id, toFen: 550, days: 7 })).data).toMatchObject({ state: 'running' })
  expect((await call(contract.startPriceTrial, { id, toFen: 560 })).status).toBeGreaterThanOrEqual(400)
  await applied()
  expect([await pricesOf(false), await pricesOf(true)]).toEqual([[550], [500]])
  const control = await sides()
  for (const [at, machine] of machines.slice(0, 12).entries()) {
    await sell(machine, productId, 10, control.get(machine.id) ? 500 + at : 560 + at, 1, 7)
  }
  after(8)
  await turnPriceTrials(world.services)
  await applied()
  expect([await pricesOf(false), await pricesOf(true)]).toEqual([[500], [500]])
  const [trial] = (await detail(id)).trials
  expect(trial).toMatchObject({ state: 'ended', verdict: 'more', with: { machines: 6 }, without: { machines: 6 } })
  expect(Math.abs((trial?.change?.value ?? 0) - 600)).toBeLessThan(60)
  await turnPriceTrials(world.services)
  expect(await advised()).toMatchObject({ trialState: 'ended', trialVerdict: 'more' })
})

test('one that loses too much is stopped by itself, and one is undone by hand at once', async () => {
  after(8)
  const id = (await advised())?.id ?? 0
  expect((await call(contract.startPriceTrial, { id, toFen: 450, days: 14 })).code).toBe('H0000')
  await applied()
  const control = await sides()
  for (const machine of machines.slice(0, 12))
    await sell(machine, productId, control.get(machine.id) ? 10 : 5, 500, 9, 3)
  after(12)
  await turnPriceTrials(world.services)
  await applied()
  expect((await detail(id)).trials[0]).toMatchObject({ state: 'stopped' })
  expect(await pricesOf(false)).toEqual([500])
  const begun = await call(contract.startPriceTrial, { id, toFen: 520, days: 14 })
  expect((await call(contract.undoPriceTrial, { id: begun.data.id })).code).toBe('priceChange.state')
  await applied()
  expect((await call(contract.undoPriceTrial, { id: begun.data.id })).data).toMatchObject({ state: 'undone' })
  expect((await call(contract.undoPriceTrial, { id: begun.data.id })).code).toBe('priceTrial.state')
  await applied()
  expect(await pricesOf(false)).toEqual([500])
})

test('strangers see none, and too few machines try nothing', async () => {
  const id = (await advised())?.id ?? 0
  expect(await advised(strangerId)).toBeUndefined()
  expect((await call(contract.getPriceAdvice, { id }, strangerId)).status).toBe(404)
  expect((await call(contract.startPriceTrial, { id, toFen: 550 }, strangerId)).status).toBe(404)
  await sql`update slot set price_fen = 700 where product_id = ${productId} and machine_id = any(${machines
    .slice(0, 5)
    .map((machine) => machine.id)}::bigint[])`.execute(world.services.db)
  expect((await call(contract.startPriceTrial, { id, toFen: 550 })).code).toBe('priceTrial.fewMachines')
})
