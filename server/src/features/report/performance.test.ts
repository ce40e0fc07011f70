import { listPerformance, type Performance } from '@aisle/contract/report/performance'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './performance.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const HOUR_MS = 3_600_000

let world: World
let http: HttpWorld
let merchantId: number
let machine: BuiltMachine
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })], stock: 0 })
  const admin = await addUser(db, { merchantId, grants: ['user.read'] })
  token = await addSession(db, admin.id, NOON)
  await addUser(db, { merchantId, kind: 'ordinary', machineIds: [machine.id] })
  await addUser(db, { merchantId, kind: 'ordinary' })
})
afterAll(async () => {
  await http.close()
  await world.close()
})

/** @param hours after 12:00 of the day before yesterday at the network's home */
async function move(hours: number, cause: 'fill' | 'vend' | 'count', quantity: number): Promise<void> {
  const kind = cause === 'fill' ? 'supplier' : 'customer'
  const [slot] = machine.slots
  const { db } = world.services
  await sql`insert into place (merchant_id, kind) values (${merchantId}, ${kind}) on conflict do nothing`.execute(db)
  const other = sql`(select id from place where merchant_id = ${merchantId} and kind = ${kind})`
  const [from, to] = cause === 'fill' ? [other, sql`${slot?.placeId}`] : [sql`${slot?.placeId}`, other]
  await sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
    values (${merchantId}, ${new Date(NOON.getTime() + (hours - 48) * HOUR_MS)}, ${slot?.productId}, ${quantity},
      ${from}, ${to}, ${cause}, ${`${cause}/test`})`.execute(db)
}

const figures = async (period: Record<string, string>): Promise<Performance[]> => {
  const answer = await http.call(listPerformance, period, { token })
  return (answer.body.data as { items: Performance[] }).items
}
const stockOuts = async () =>
  (
    await sql<{ began: Date; ended: Date | null }>`
      select began_at as began, ended_at as ended from stock_out order by began_at`.execute(world.services.db)
  ).rows

test('stock-outs begin with the last unit and end with the next fill, and rebuilding them says the same', async () => {
  await move(0, 'fill', 2)
  await move(1, 'vend', 1)
  await move(2, 'vend', 1)
  await move(5, 'fill', 10)
  await move(6, 'count', 1)
  await move(40, 'vend', 9)
  const at = (hours: number) => new Date(NOON.getTime() + (hours - 48) * HOUR_MS)
  const kept = await stockOuts()
  expect(kept).toEqual([
    { began: at(2), ended: at(5) },
    { began: at(40), ended: null },
  ])
  await sql`select rebuild_stock_outs()`.execute(world.services.db)
  expect(await stockOuts()).toEqual(kept)
})

test('who has machines in care is shown with what happened to them; who has none is not', async () => {
  const asked = new Date(NOON.getTime() - 30 * HOUR_MS)
  await sql`insert into repair_order (merchant_id, machine_id, source, kind, problem, state, created_at, started_at,
      done_at)
    values (${merchantId}, ${machine.id}, 'person', 'repair', 'Spiral', 'done', ${asked}, ${asked},
      ${new Date(NOON.getTime() - 25 * HOUR_MS)}), (${merchantId}, ${machine.id}, 'person', 'repair', 'Door', 'open',
      ${asked}, null, null)`.execute(world.services.db)
  const [first, ...rest] = await figures({ from: '2026-11-18', to: '2026-11-20' })
  expect(rest).toEqual([])
  expect(first).toMatchObject({
    machineCount: 1,
    fillCount: 2,
    filledUnits: 12,
    correctedPermille: 83,
    // Three hours the day before yesterday, and since 04:00 of today until noon.
    stockOutHours: 11,
    stockOutMinutesPerDay: 220,
    repairCount: 1,
    repairHours: 5,
  })
})

test('a period counts only its own hours', async () => {
  expect(await figures({ from: '2026-11-19', to: '2026-11-19' })).toMatchObject([{ stockOutHours: 0, fillCount: 0 }])
  expect(await figures({ from: '2026-11-20', to: '2026-11-20' })).toMatchObject([{ stockOutHours: 8 }])
})

test('a retired machine wants for nothing, and once it is back for what is empty, rebuilt as well', async () => {
  const { db } = world.services
  const at = (hours: number) => new Date(NOON.getTime() + (hours - 48) * HOUR_MS)
  const today = { from: '2026-11-20', to: '2026-11-20' }
  const turn = (hours: number, isRetired: boolean) =>
    sql`update machine set retired_at = ${isRetired ? at(hours) : null}, updated_at = ${at(hours)}
      where id = ${machine.id}`.execute(db)
  await turn(43, true)
  expect(await figures(today)).toMatchObject([{ stockOutHours: 3 }])
  // What a silent machine tells late begins nothing while it is retired.
  await move(44, 'fill', 1)
  await move(45, 'vend', 1)
  expect(await figures(today)).toMatchObject([{ stockOutHours: 3 }])
  await turn(46, false)
  const kept = await stockOuts()
  expect(kept.slice(1)).toEqual([
    { began: at(40), ended: at(43) },
    { began: at(46), ended: null },
  ])
  expect(await figures(today)).toMatchObject([{ stockOutHours: 5 }])
  await sql`select rebuild_stock_outs()`.execute(db)
  expect(await stockOuts()).toEqual(kept)
})

test('a period that ends before it begins is refused', async () => {
  const answer = await http.call(listPerformance, { from: '2026-11-20', to: '2026-11-19' }, { token })
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
})

test('what a count gave back once a late sale was heard is no correction, nor is what no person counted', async () => {
  const { db } = world.services
  const [slot] = machine.slots
  const back = (reference: string) =>
    sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
    select merchant_id, moved_at, product_id, 1, to_place_id, from_place_id, 'count', ${reference}
    from stock_move where cause = 'count' and from_place_id = ${slot?.placeId} limit 1`.execute(db)
  const period = { from: '2026-11-18', to: '2026-11-20' }
  await back('message/1')
  expect(await figures(period)).toMatchObject([{ correctedPermille: 77 }])
  await back('count/1/1/late')
  expect(await figures(period)).toMatchObject([{ correctedPermille: 0 }])
})
