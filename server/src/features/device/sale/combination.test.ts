import {
  addCombination,
  checkCombination,
  getCombination,
  listCombinations,
  removeCombination,
  resumeCombination,
  stopCombination,
} from '@aisle/contract/medicine/combination'
import { addIngredientPair } from '@aisle/contract/medicine/ingredientPair'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { medicine } from '../../medicine/manifest'
import { PUSH_SETS } from '../../medicine/public'
import { NOON, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { planogram } from '../../planogram/manifest'
import { pushAfterService } from '../../planogram/push.commands'
import { contradictions } from '../../trade/recount'
import { ingest } from '../link/ingest'
import { spoken } from '../testing'

let pharmacy: Pharmacy
let http: HttpWorld
let token: string
let platform: string
let shop: BuiltMachine
let seq = 0
let otc: number
let rx: [number, number]

beforeAll(async () => {
  pharmacy = await openPharmacy()
  const { db, merchantId, platformId, products, world } = pharmacy
  http = await openHttp(world, routesWith(...(medicine.routes ?? [])))
  shop = await addMachine(db, { merchantId, products, licenceMode: 'retail', stock: 10 })
  const [a, b, c] = products.map(({ id }) => id)
  rx = [a ?? 0, b ?? 0]
  otc = c ?? 0
  await sql`insert into medicine (product_id, ingredients) values
    (${rx[0]}, array['aspirin']), (${rx[1]}, array['warfarin']), (${otc}, array['aspirin', 'caffeine'])`.execute(db)
  const grants = ['medicine.*', 'combination.*']
  token = await addSession(db, (await addUser(db, { merchantId, grants })).id, NOON)
  platform = await addSession(
    db,
    (await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants })).id,
    NOON,
  )
})
afterAll(async () => {
  await http.close()
  await pharmacy.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const set = (name: string, priceFen: number, items: Record<number, number>, more: Record<string, unknown> = {}) => ({
  merchantId: pharmacy.merchantId,
  name,
  priceFen,
  items: Object.entries(items).map(([productId, quantity]) => ({ productId: Number(productId), quantity })),
  ...more,
})
const say = (machine: BuiltMachine, type: string, content: Record<string, unknown>) => {
  seq += 1
  return ingest(pharmacy.world.services, [spoken(pharmacy.world, machine.code, seq, type, content)])
}
const amount = async (orderNo: string, slots: string[], more: Record<string, unknown> = {}, machine = shop) => {
  const items = slots.map((slot) => ({ slot }))
  const { replies } = await say(machine, 'order.request', { orderNo, method: 'wechat', items, ...more })
  const answer = replies[0]?.answer as { amountFen?: number; refused?: string } | undefined
  return answer?.amountFen ?? answer?.refused
}

test('what is found of medicines is told while they are chosen: pairs, doubles, class', async () => {
  const pair = { first: 'Warfarin', second: 'aspirin' }
  expect((await http.call(addIngredientPair, pair, { token })).body.code).toBe('request.notPermitted')
  expect((await http.call(addIngredientPair, pair, { token: platform })).status).toBe(200)
  expect((await http.call(addIngredientPair, pair, { token: platform })).body.code).toBe('pair.taken')
  const same = { first: 'aspirin', second: 'Aspirin' }
  expect((await http.call(addIngredientPair, same, { token: platform })).body.code).toBe('pair.same')
  const items = [rx[0], rx[1], otc].map((productId) => ({ productId, quantity: 1 }))
  const { listFen, findings } = (await call(checkCombination, { items })).data as {
    listFen: number
    findings: { kind: string }[]
  }
  expect(listFen).toBe(1500)
  expect(findings.map(({ kind }) => kind)).toEqual(['pair', 'pair', 'ingredientTwice', 'prescription'])
})

test('a set is kept with its medicines; what is no set is refused', async () => {
  const id = Number((await call(addCombination, set('Pain', 900, { [rx[0]]: 1, [otc]: 1 }))).data.id)
  expect((await call(getCombination, { id })).data).toMatchObject({
    listFen: 1000,
    medicineClass: 'rx',
    pieces: [{ quantity: 1 }, { quantity: 1 }],
    findings: [{ kind: 'ingredientTwice' }, { kind: 'prescription' }],
  })
  const refusal = async (...asked: Parameters<typeof set>) => (await call(addCombination, set(...asked))).code
  expect(await refusal('Pain', 900, { [rx[0]]: 1, [otc]: 1 })).toBe('combination.nameTaken')
  expect(await refusal('One', 400, { [otc]: 1 })).toBe('combination.onePiece')
  expect(await refusal('Dear', 1001, { [rx[0]]: 1, [otc]: 1 })).toBe('combination.tooDear')
  expect(await refusal('Gone', 900, { 999999: 1, [otc]: 1 })).toBe('combination.itemUnknown')
  expect(await refusal('Sorted', 900, { [rx[0]]: 1, [otc]: 1 }, { categoryId: 999999 })).toBe(
    'combination.categoryUnknown',
  )
  const twice = { ...set('Twice', 900, {}), items: [1, 2].map(() => ({ productId: otc, quantity: 1 })) }
  expect((await call(addCombination, twice)).code).toBe('combination.itemTwice')
  expect((await call(listCombinations, { q: 'Pain' })).data.items).toEqual([expect.objectContaining({ id })])
  expect((await call(removeCombination, { id })).status).toBe(200)
})

test('an order that holds all of a set is asked its price; what hangs is paid back by its part', async () => {
  const id = Number((await call(addCombination, set('Two of it', 701, { [otc]: 2 }))).data.id)
  expect(await amount('S-1', ['A3'])).toBe(500)
  expect(await amount('S-2', ['A3', 'A3'])).toBe(701)
  expect(await amount('S-3', ['A3', 'A3', 'A3'])).toBe(1201)
  expect(await amount('S-2', ['A3', 'A3'])).toBe(701)
  const paid = { orderNo: 'S-2', method: 'wechat', channelNo: 'WS-2' }
  await say(shop, 'pay.result', { ...paid, amountFen: 701 })
  const result = { orderNo: 'S-2', slot: 'A3' }
  await say(shop, 'vend.result', { ...result, index: 0, ok: true, motorCode: '100', sensorCode: '01' })
  await say(shop, 'vend.result', { ...result, index: 1, ok: false, motorCode: '102', sensorCode: '03' })
  const { rows } = await sql<Record<string, unknown>>`
    select o.total_fen, o.discount_fen, o.paid_fen, o.held_fen,
      array_agg(i.price_fen order by i.index) as prices, array_agg(i.list_price_fen order by i.index) as lists
    from orders o join order_item i on i.order_id = o.id where o.machine_order_no = 'S-2' group by o.id, 1, 2, 3, 4
    limit 1`.execute(pharmacy.db)
  expect(rows[0]).toMatchObject({ total_fen: 1000, discount_fen: 299, paid_fen: 701, held_fen: 351 })
  expect(rows[0]).toMatchObject({ prices: [350, 351], lists: [500, 500] })
  const steps = await sql<{ before: number; after: number; reason: string }>`
    select before_fen as before, after_fen as after, reason from order_price_step s
    join orders o on o.id = s.order_id where o.machine_order_no = 'S-2' order by index`.execute(pharmacy.db)
  expect(steps.rows).toEqual([
    { before: 500, after: 350, reason: 'Two of it' },
    { before: 500, after: 351, reason: 'Two of it' },
  ])
  expect((await call(removeCombination, { id })).code).toBe('request.inUse')
  expect((await call(stopCombination, { id })).status).toBe(200)
  expect(await amount('S-4', ['A3', 'A3'])).toBe(1000)
  expect(await contradictions(pharmacy.db)).toEqual([])
})

test('a set changes nothing of what may be sold: a shop sells no prescription by it', async () => {
  await call(addCombination, set('With rx', 600, { [rx[0]]: 1, [otc]: 1 }))
  expect(await amount('L-1', ['A1', 'A3'])).toBe('notLawful')
  expect(await amount('L-2', ['A1', 'A3'], {}, pharmacy.machine)).toBe('prescriptionMissing')
  const { code } = await pharmacy.approved([{ productId: rx[0] }])
  expect(await amount('L-3', ['A1', 'A3'], { prescription: code }, pharmacy.machine)).toBe(600)
})

test('a machine is told of sets of which all stands in it: a new one, a stopped one, and with its plan', async () => {
  const { db } = pharmacy
  const push = planogram.jobs?.find(({ name }) => name === PUSH_SETS)
  const asked = async () => {
    const jobs = await sql<{ payload: Record<string, string | number> }>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${PUSH_SETS} returning j.payload`.execute(db)
    for (const { payload } of jobs.rows) await push?.run(pharmacy.world.services, payload)
    return jobs.rows.length
  }
  const toldOf = async (machine: BuiltMachine) => {
    const told = await sql<{ sets: { name: string }[] }>`select data -> 'sets' as sets from device_command
      where machine_id = ${machine.id} and data ? 'sets' order by seq desc limit 1`.execute(db)
    return told.rows[0]?.sets.map(({ name }) => name)
  }
  const ward = await pharmacy.hospital()
  const bare = await addMachine(db, { merchantId: pharmacy.merchantId, products: [], licenceMode: 'hospital' })
  await sql`update combination set state = 'stopped'`.execute(db)
  await asked()
  const id = Number((await call(addCombination, set('Told', 900, { [rx[0]]: 1, [otc]: 2 }))).data.id)
  expect(await asked()).toBe(1)
  expect([await toldOf(ward), await toldOf(bare)]).toEqual([['Told'], undefined])
  const told = await sql`select data #> '{sets,0}' as set from device_command
    where machine_id = ${ward.id} and data ? 'sets' order by seq desc limit 1`.execute(db)
  const items = [pharmacy.products[0], pharmacy.products[2]].map((each, at) => ({
    product: each?.code,
    pieces: at + 1,
  }))
  expect(told.rows).toEqual([{ set: { id, name: 'Told', priceFen: 900, items: expect.arrayContaining(items) } }])
  await call(stopCombination, { id })
  await asked()
  expect(await toldOf(ward)).toEqual([])
  await call(resumeCombination, { id })
  await asked()
  expect(await toldOf(ward)).toEqual(['Told'])
  // Half of it goes: the plan itself says that the set does.
  await sql`update slot set product_id = null, price_fen = null
    where machine_id = ${ward.id} and product_id = ${otc}`.execute(db)
  await db.transaction().execute((tx) => pushAfterService(tx, ward.id, NOON))
  expect(await toldOf(ward)).toEqual([])
})
