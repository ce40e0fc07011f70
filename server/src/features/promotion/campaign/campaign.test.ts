import * as contract from '@aisle/contract/promotion/campaign'
import { addPlan, editPlan, getPlan, listPlan } from '@aisle/contract/promotion/plan'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { ingest } from '../../device/link/ingest'
import { spoken } from '../../device/testing'
import { settle } from '../offer.jobs'
import { routes as planRoutes } from '../plan.routes'
import { measureCampaigns, turnCampaigns } from './campaign.jobs'
import { routes } from './campaign.routes'

/** Noon in Shanghai, a Friday. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let machines: BuiltMachine[]
let seq = 0
let stranger: string
let userId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...planRoutes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  const otherId = await addMerchant(db, { parentId: platformId })
  const strange = await addUser(db, { merchantId: otherId, grants: ['*'] })
  stranger = await addSession(db, strange.id, NOON)
  merchantId = await addMerchant(db, { parentId: platformId })
  userId = (await addUser(db, { merchantId, grants: ['promotionPlan.*'] })).id
  const products = [await addProduct(db, { merchantId })]
  machines = []
  for (let n = 0; n < 12; n += 1) machines.push(await addMachine(db, { merchantId, products, priceFen: 1000 }))
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  const { db } = world.services
  await sql`update campaign set state = 'ended', ended_at = ${NOON} where state <> 'ended'`.execute(db)
  await sql`update promotion_plan set campaign_id = null, state = 'ended', ended_at = ${NOON}
    where state <> 'ended'`.execute(db)
  await sql`delete from rollup_day_machine_product`.execute(db)
  await sql`delete from rollup_day_machine`.execute(db)
  await sell('2026-11-06', 14, () => 10_000)
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const token = await addSession(world.services.db, userId, world.services.clock.now())
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}

/** What each machine came to on so many days. */
async function sell(from: string, days: number, fenOf: (machine: BuiltMachine, at: number) => number) {
  const { db } = world.services
  for (const [at, machine] of machines.entries()) {
    const [id, product, fen] = [machine.id, machine.slots[0]?.productId, fenOf(machine, at)]
    await sql`insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity,
        paid_fen, cost_fen)
      select ${from}::date + n, ${id}, ${merchantId}, ${product}, 10, ${fen}, 2000
      from generate_series(0, ${days - 1}::int) n`.execute(db)
    await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type,
        orders, paid_fen)
      select ${from}::date + n, ${id}, ${merchantId}, a.point_id, 'wechat', 'sale', 10, ${fen}
      from generate_series(0, ${days - 1}::int) n join machine a on a.id = ${id}`.execute(db)
  }
}

const added = async (endpoint: typeof addPlan | typeof contract.addCampaign, said: Record<string, unknown>) =>
  Number((await call(endpoint, said)).data.id)
const newPlan = () => {
  seq += 1
  return added(addPlan, { name: `plan ${seq}`, kind: 'rate', paidPercent: 80 })
}

async function scheduled(said: Record<string, unknown>): Promise<number> {
  seq += 1
  const id = await added(contract.addCampaign, { name: `campaign ${seq}`, goalPercent: 10, ...said })
  const { conflicts } = (await call(contract.getCampaign, { id })).data as { conflicts: unknown[] }
  const done = await call(contract.scheduleCampaign, { id, conflictsSeen: conflicts.length })
  expect(done.code).toBe('H0000')
  return id
}

async function asked(machine: BuiltMachine | undefined): Promise<number | undefined> {
  seq += 1
  const data = { orderNo: `C${seq}`, method: 'wechat', items: [{ slot: 'A1' }] }
  const taken = await ingest(world.services, [spoken(world, machine?.code ?? '', seq, 'order.request', data)])
  return (taken.replies[0]?.answer as { amountFen?: number } | undefined)?.amountFen
}
const isOut = async (id: number) => {
  const found = await sql<{ id: number }>`select machine_id as id from campaign_machine
    where campaign_id = ${id} and is_control`.execute(world.services.db)
  const ids = new Set(found.rows.map((row) => row.id))
  return (machine: BuiltMachine) => ids.has(machine.id)
}
const detail = async (id: number) => (await call(contract.getCampaign, { id })).data
const stateOf = async (id: number) => (await detail(id)).state

test('it begins and ends by itself, keeps its machines out of every price, and says what that brought', async () => {
  const planId = await newPlan()
  const id = await scheduled({ startsOn: '2026-11-21', endsOn: '2026-12-04', planIds: [planId], controlPercent: 50 })
  expect(await detail(id)).toMatchObject({
    state: 'scheduled',
    withCount: 6,
    controlCount: 6,
    comparable: { with: 6, withFen: 10_000, withoutFen: 10_000 },
    before: { from: '2026-11-07', to: '2026-11-20' },
  })
  const out = await isOut(id)
  const [control, other] = [machines.find(out), machines.find((each) => !out(each))]
  expect(await asked(other)).toBe(1000)
  expect((await call(listPlan, { id: planId, conflictsSeen: 1 })).code).toBe('plan.inCampaign')
  world.setNow(new Date('2026-11-20T16:01:00Z'))
  await turnCampaigns(world.services)
  expect([await stateOf(id), await asked(other), await asked(control)]).toEqual(['running', 800, 1000])
  await settle(world.services)
  const shown = await sql<{ machineId: number }>`select s.machine_id as "machineId" from slot_offer o
    join slot s on s.id = o.slot_id`.execute(world.services.db)
  expect(new Set(shown.rows.map((row) => row.machineId))).toEqual(
    new Set(machines.filter((each) => !out(each)).map((each) => each.id)),
  )
  await sell('2026-11-20', 1, () => 10_000)
  await sell('2026-11-21', 14, (machine, at) => (out(machine) ? 11_000 : 13_000) + at)
  world.setNow(new Date('2026-12-04T16:01:00Z'))
  await turnCampaigns(world.services)
  await turnCampaigns(world.services)
  await measureCampaigns(world.services)
  const ended = await detail(id)
  expect(ended).toMatchObject({
    state: 'ended',
    verdict: 'more',
    spans: [{ from: '2026-11-21', to: '2026-12-04' }],
    through: '2026-12-04',
    plans: [{ id: planId, state: 'paused' }],
  })
  const [sales, margin] = ended.results as contract.CampaignResult[]
  expect(sales).toMatchObject({ measure: 'sales', verdict: 'more', goal: 'reached', with: { machines: 6 } })
  expect(Math.abs((sales?.change?.value ?? 0) - 2000)).toBeLessThan(12)
  expect(margin?.change?.value).toBe(sales?.change?.value)
  expect((await call(contract.listCampaigns, {})).data).toMatchObject({
    items: [{ id, verdict: 'more', liftPercent: sales?.percent?.value }],
  })
  expect([await asked(other), (await call(contract.endCampaign, { id })).code]).toEqual([1000, 'campaign.state'])
})

test('a plan is in one campaign at a time; what is shared is seen before, and too few measure nothing', async () => {
  const planId = await newPlan()
  const days = { startsOn: '2026-11-20', endsOn: '2026-12-03' }
  const first = await scheduled({ ...days, planIds: [planId], controlIds: [machines[0]?.id], controlPercent: 0 })
  expect([await stateOf(first), await asked(machines[0]), await asked(machines[1])]).toEqual(['running', 1000, 800])
  const other = await newPlan()
  const taken = await added(contract.addCampaign, { name: `taken ${seq}`, goalPercent: 5, ...days, planIds: [planId] })
  expect((await detail(taken)).conflicts).toMatchObject([
    { kind: 'planTaken' },
    { kind: 'planListed' },
    { kind: 'machinesShared', campaignId: first },
    { kind: 'fewMachines' },
  ])
  expect((await call(contract.scheduleCampaign, { id: taken, conflictsSeen: 4 })).code).toBe('campaign.blocked')
  const { version } = await detail(taken)
  const said = { name: `taken ${seq}`, goalPercent: 5, ...days, planIds: [other], controlPercent: 0 }
  expect((await call(contract.editCampaign, { id: taken, version, ...said })).status).toBe(200)
  expect((await call(contract.scheduleCampaign, { id: taken })).code).toBe('campaign.conflicts')
  expect((await call(contract.pauseCampaign, { id: first })).data).toMatchObject({ state: 'paused' })
  expect(await asked(machines[1])).toBe(1000)
  expect((await call(listPlan, { id: planId, conflictsSeen: 0 })).code).toBe('plan.inCampaign')
  expect((await call(contract.resumeCampaign, { id: first })).data).toMatchObject({ state: 'running' })
  expect([await asked(machines[1]), await asked(machines[0])]).toEqual([800, 1000])
  await sell('2026-11-20', 10, () => 10_000)
  world.setNow(new Date('2026-11-30T04:00:00Z'))
  await measureCampaigns(world.services)
  expect((await detail(first)).results).toMatchObject([
    { measure: 'sales', verdict: 'notMeasurable', why: 'fewMachines', change: null },
    { measure: 'margin' },
    { measure: 'pieces' },
  ])
  expect((await call(contract.endCampaign, { id: first })).data).toMatchObject({ state: 'ended' })
  const { version: planVersion } = (await call(getPlan, { id: planId })).data
  const again = { name: `free ${seq}`, kind: 'rate', paidPercent: 70 }
  expect((await call(editPlan, { id: planId, version: planVersion, ...again })).status).toBe(200)
})

test('strangers see nothing of it, and what is not there is refused', async () => {
  const planIds = [await newPlan()]
  const days = { startsOn: '2026-12-01', endsOn: '2026-12-14' }
  const id = await scheduled({ ...days, planIds })
  for (const endpoint of [contract.getCampaign, contract.endCampaign, contract.withdrawCampaign]) {
    expect((await http.call(endpoint, { id }, { token: stranger })).status).toBe(404)
  }
  expect((await call(contract.withdrawCampaign, { id })).data).toMatchObject({ state: 'draft' })
  const of = async (more: Record<string, unknown>) => {
    seq += 1
    return (await call(contract.addCampaign, { name: `x ${seq}`, goalPercent: 5, ...days, planIds, ...more })).code
  }
  expect(await of({ endsOn: '2026-11-30' })).toBe('campaign.dates')
  expect(await of({ planIds: [999_999] })).toBe('campaign.plans')
  expect(await of({ controlIds: [999_999] })).toBe('campaign.controls')
  expect(await of({})).toBe('H0000')
  expect(await of({ name: `x ${seq}` })).toBe('campaign.nameTaken')
  const past = await added(contract.addCampaign, {
    name: `past ${seq}`,
    goalPercent: 5,
    planIds,
    startsOn: '2026-11-01',
    endsOn: '2026-11-02',
  })
  expect((await call(contract.scheduleCampaign, { id: past })).code).toBe('campaign.over')
})

test('machines that began to sell after it was scheduled are not told as its own', async () => {
  const { db } = world.services
  await sql`delete from rollup_day_machine`.execute(db)
  const planIds = [await newPlan()]
  const id = await scheduled({ startsOn: '2026-11-21', endsOn: '2026-12-04', planIds, controlPercent: 50 })
  await sell('2026-10-01', 1, () => 10_000)
  await sql`update rollup_day_machine set business_day = '2026-11-19'`.execute(db)
  expect(await detail(id)).toMatchObject({ controls: [], comparable: { with: 0, withoutFen: null } })
})
