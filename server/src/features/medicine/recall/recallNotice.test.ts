import { addBatch } from '@aisle/contract/medicine/batch'
import { addRecall, listRecallTargets, startRecall } from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { tellRecall } from '../../device/command/recall.commands'
import { openPulling } from '../../maintenance/recall.store'
import { routes as batchRoutes } from '../batch/batch.routes'
import { routes as recallRoutes } from './recall.routes'
import { spreadRecall } from './recall.spread'
import { outsidePlaces, recordMoves } from '../../stock/public'
import { tellKeepers } from '../../notice/notice.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let machine: BuiltMachine
let productId: number
let keeperId: number
let pharmacistId: number
let tokens: string[]
const stores = new Map<string, { id: number; placeId: number }>()

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...batchRoutes, ...recallRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db)
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  productId = product.id
  machine = await addMachine(db, { merchantId, products: [product], stock: 0 })
  keeperId = (await addUser(db, { merchantId, kind: 'ordinary', grants: ['stock.read'] })).id
  pharmacistId = (await addUser(db, { merchantId, kind: 'ordinary', grants: ['recall.pull'] })).id
  const person = async () => {
    const { id } = await addUser(db, {
      merchantId,
      kind: 'merchant_admin',
      grants: ['batch.*', 'recall.read', 'recall.write', 'recall.start'],
    })
    return addSession(db, id, NOON)
  }
  tokens = [await person(), await person()]
  for (const [name, keeper] of [
    ['East store', keeperId],
    ['West store', null],
  ] as const) {
    const made = await sql<{ id: number; placeId: number }>`
      with kept as (insert into place (merchant_id, kind, name)
        values (${merchantId}, 'warehouse', ${name}) returning id)
      insert into warehouse (merchant_id, place_id, name, keeper_id, created_at)
      select ${merchantId}, id, ${name}, ${keeper}::bigint, ${NOON} from kept
      returning id, place_id as "placeId"`.execute(db)
    const [store] = made.rows
    if (store) stores.set(name, store)
  }
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const ask = async (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown>, who = 0) => {
  const { status, body } = await http.call(endpoint, input, { token: tokens[who] ?? '' })
  expect([status, body.msg]).toEqual([200, expect.anything()])
  return body.data as { id: number; items: Record<string, unknown>[] }
}

const put = (toPlaceId: number, batch: string, quantity: number) =>
  world.services.db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const move = { merchantId, movedAt: NOON, productId, quantity, fromPlaceId, toPlaceId, batch, reference: 'test' }
    await recordMoves(tx, [{ ...move, cause: 'fill' }])
  })
const placeOf = (name: string) => stores.get(name)?.placeId ?? 0

/** Five pieces in a slot, seven in the east, of which two have left for the west. */
async function started(number: string, isDrill = false): Promise<number> {
  const { db } = world.services
  const { id: batchId } = await ask(addBatch, { productId, number, expiresOn: '2027-08' })
  await put(machine.slots[0]?.placeId ?? 0, number, 5)
  await put(placeOf('East store'), number, 7)
  const way = await sql<{ id: number }>`insert into place (merchant_id, kind) values (${merchantId}, 'transit')
    on conflict do nothing returning id`.execute(db)
  const transit = await sql<{ id: number }>`select id from place
    where kind = 'transit' and merchant_id = ${merchantId}`.execute(db)
  expect(way.rows.length).toBeLessThan(2)
  await db.transaction().execute((tx) =>
    recordMoves(tx, [
      {
        merchantId,
        movedAt: NOON,
        productId,
        quantity: 2,
        fromPlaceId: placeOf('East store'),
        toPlaceId: transit.rows[0]?.id ?? 0,
        cause: 'transfer',
        reference: number,
        batch: number,
      },
    ]),
  )
  await sql`with sent as (insert into transfer (merchant_id, no, from_id, to_id, note, sender, sent_at)
      values (${merchantId}, ${`DB-${number}`}, ${stores.get('East store')?.id}, ${stores.get('West store')?.id}, '',
        'Somebody', ${NOON}) returning id)
    insert into transfer_line (transfer_id, line, product_id, batch, quantity)
    select id, 1, ${productId}, ${number}, 2 from sent`.execute(db)
  const { id } = await ask(addRecall, { batchId, class: 'i', reason: 'notice of the maker', isDrill })
  await ask(startRecall, { id }, 1)
  return id
}

const told = async (recallId: number) =>
  (
    await sql<{
      userId: number
      title: string
      body: string
    }>`select user_id as "userId", title, body from outbox_message
      where type = 'recall.pull' and reference like ${`recall/${recallId}/%`} order by user_id`.execute(
      world.services.db,
    )
  ).rows
const targetsOf = async (recallId: number) => (await ask(listRecallTargets, { recallId, pageSize: 100 })).items

test('who keeps a recalled batch is told once what to put aside and where, also of what is on its way', async () => {
  const id = await started('N1')
  for (let time = 0; time < 2; time += 1) {
    await spreadRecall(world.services, id)
    await tellKeepers(world.services, id)
  }
  const messages = await told(id)
  expect(messages.map(({ userId }) => userId)).toEqual([keeperId, pharmacistId])
  expect(messages[0]?.body).toContain('East store × 5; West store × 2')
  expect(messages[0]?.title).toContain('召回')
  const states = (await targetsOf(id)).map(({ placeName, book, state }) => [placeName, book, state])
  expect(states).toContainEqual(['East store', 5, 'notified'])
  expect(states).toContainEqual(['West store', 2, 'notified'])
})

test('a drill says that it is one', async () => {
  const id = await started('N2', true)
  await spreadRecall(world.services, id)
  await tellKeepers(world.services, id)
  expect((await told(id))[0]?.title).toContain('召回演练')
})

/** Nothing of a step that did not commit stays, and the next run of its job does it whole. */
test.each(['spread', 'tell', 'pull', 'keepers'] as const)(
  'killed in the step %s a recall goes on whole',
  async (at) => {
    const id = await started(`K-${at}`)
    const steps = {
      spread: spreadRecall,
      tell: tellRecall,
      pull: openPulling,
      keepers: tellKeepers,
    }
    const { db } = world.services
    const facts = async () => {
      const found = await sql<Record<string, number>>`select
        (select count(*)::int from recall_target where recall_id = ${id}) as targets,
        (select count(*)::int from recall_target where recall_id = ${id} and state = 'notified') as notified,
        (select count(*)::int from device_command
          where type = 'recall_batch' and data->>'recall' = ${String(id)}) as commands,
        (select count(*)::int from repair_order where recall_id = ${id}) as orders,
        (select count(*)::int from recall_event where recall_id = ${id} and verb = 'spread') as spreads,
        (select count(*)::int from outbox_message where reference like ${`recall/${id}/%`}) as messages`.execute(db)
      return found.rows[0]
    }
    for (const [name, step] of Object.entries(steps)) {
      if (name === at) {
        const before = await facts()
        await expect(step(killedAtCommit(world.services), id)).rejects.toThrow('killed')
        expect(await facts()).toEqual(before)
      }
      await step(world.services, id)
    }
    expect(await facts()).toEqual({ targets: 3, notified: 3, commands: 1, orders: 1, spreads: 1, messages: 2 })
  },
)

/** A process that dies when all of its work is written and nothing is committed. */
function killedAtCommit(services: World['services']): World['services'] {
  const { db } = services
  const dying = {
    execute: (work: (tx: never) => Promise<unknown>) =>
      db.transaction().execute(async (tx) => {
        await work(tx as never)
        throw new Error('killed')
      }),
  }
  return { ...services, db: Object.assign(Object.create(db) as typeof db, { transaction: () => dying }) }
}
