import { sellable } from '@aisle/contract/medicine/batchState'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct } from '../../../testing/builders'
import { countStep, MODEL_TIMEOUT_MS, modelRuns, tellSteps } from '../../../testing/model'
import { openWorld, type World } from '../../../testing/world'
import { type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { stoppedAsks } from './stop.reads'

/**
 * Random lives of a slot of medicine against what really stands in it (goals M1, M2, M5, M8); a failure prints its
 * seed. `RUNS=36000` for a million steps, `MINUTES=30` for as many as come to be.
 */
const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
const NUMBERS = ['A', 'B', 'C'] as const
/** C ends on the second day of a life. */
const lastDays = { A: '2030-01-01', B: '2029-01-01', C: '2026-11-21' } as const
type Number_ = (typeof NUMBERS)[number]

let world: World
let merchantId: number
let outside: Record<'supplier' | 'customer' | 'scrap', number>

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  merchantId = await addMerchant(db)
  await sql`insert into setting (key, merchant_id, value) values ('medicine.marginDays', null, '0')`.execute(db)
  outside = await db.transaction().execute(async (tx) => {
    const placeOf = async (kind: 'supplier' | 'customer' | 'scrap') =>
      (await outsidePlaces(tx, kind, [merchantId])).get(merchantId) ?? 0
    return { supplier: await placeOf('supplier'), customer: await placeOf('customer'), scrap: await placeOf('scrap') }
  })
})
afterAll(() => world.close())

const number = fc.constantFrom(...NUMBERS)
const step = fc.oneof(
  fc.record({ do: fc.constant('fill' as const), batch: number, pieces: fc.constantFrom(1, 2, 4) }),
  // What comes out is the front; the machine may name it, and may tell of it only later.
  fc.record({ do: fc.constant('vend' as const), isNamed: fc.boolean(), isLate: fc.constantFrom(false, false, true) }),
  fc.record({ do: fc.constant('vend' as const), isNamed: fc.boolean(), isLate: fc.constant(false) }),
  fc.record({ do: fc.constant('hear' as const) }),
  fc.record({ do: fc.constant('scrap' as const), batch: number }),
  fc.record({ do: fc.constant('lock' as const), batch: number }),
  fc.record({ do: fc.constant('release' as const), batch: number }),
  fc.record({ do: fc.constant('recall' as const), batch: number }),
  fc.record({ do: fc.constant('day' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function openLife() {
  const { db } = world.services
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const { slots } = await addMachine(db, { merchantId, products: [product], stock: 0 })
  for (const each of NUMBERS) {
    await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
      values (${product.id}, ${each}, ${lastDays[each]}, ${NOON})`.execute(db)
  }
  return { productId: product.id, placeId: slots[0]?.placeId ?? 0 }
}
type Life = Awaited<ReturnType<typeof openLife>> & {
  /** What really stands there, the front first. */
  real: Number_[]
  states: Record<Number_, 'available' | 'locked' | 'recalled'>
  /** Moves that the machine has yet to tell of. */
  late: Move[]
  minute: number
  day: number
}

function moveOf(life: Life, cause: Move['cause'], batch: string | null, quantity: number): Move {
  life.minute += 1
  const other = cause === 'fill' ? outside.supplier : cause === 'vend' ? outside.customer : outside.scrap
  const [fromPlaceId, toPlaceId] = cause === 'fill' ? [other, life.placeId] : [life.placeId, other]
  const movedAt = new Date(NOON.getTime() + life.minute * 60_000)
  const about = { merchantId, productId: life.productId, movedAt, cause, batch, quantity, reference: 'model' }
  return { ...about, fromPlaceId, toPlaceId }
}

const book = (...moves: readonly Move[]) => world.services.db.transaction().execute((tx) => recordMoves(tx, moves))

async function setState(life: Life, batch: Number_, state: Life['states'][Number_]): Promise<void> {
  life.states[batch] = state
  await sql`update medicine_batch set state = ${state}
    where product_id = ${life.productId} and number = ${batch}`.execute(world.services.db)
}

const steps: { [D in Step['do']]: (life: Life, said: Extract<Step, { do: D }>) => Promise<unknown> } = {
  fill: (life, { batch, pieces }) => {
    life.real.push(...Array.from({ length: pieces }, () => batch))
    return book(moveOf(life, 'fill', batch, pieces))
  },
  vend: async (life, { isNamed, isLate }) => {
    const front = life.real.shift()
    if (!front) return
    const move = moveOf(life, 'vend', isNamed ? front : null, 1)
    if (isLate) life.late.push(move)
    else await book(...life.late.splice(0), move)
  },
  hear: (life) => book(...life.late.splice(0)),
  scrap: async (life, { batch }) => {
    const at = life.real.indexOf(batch)
    if (at < 0 || life.late.length > 0) return
    life.real.splice(at, 1)
    await book(moveOf(life, 'scrap', batch, 1))
  },
  lock: async (life, { batch }) => {
    if (life.states[batch] === 'available') await setState(life, batch, 'locked')
  },
  release: async (life, { batch }) => {
    if (life.states[batch] === 'locked') await setState(life, batch, 'available')
  },
  recall: (life, { batch }) => setState(life, batch, 'recalled'),
  day: async (life) => {
    life.day += 1
  },
}

/** M1, M2: what is let out is what really stands in front, and may be sold. */
async function expectLawful(life: Life): Promise<void> {
  const businessDay = new Date(NOON.getTime() + life.day * DAY_MS).toISOString().slice(0, 10)
  const { placeId, productId } = life
  const ask = { machine: { merchantId }, businessDay, items: [{ placeId, productId }] }
  const isStopped = (await stoppedAsks(world.services.db, [ask])).has(ask)
  const front = life.real[0]
  const isRecalled = life.real.some((batch) => life.states[batch] === 'recalled')
  if (life.late.length > 0 || front === undefined) return
  const isGood = sellable({ state: life.states[front], expiresOn: lastDays[front] }, businessDay)
  expect({ isStopped, real: life.real.join(''), states: life.states, day: life.day }).toMatchObject({
    isStopped: isRecalled || !isGood,
  })
}

/** M8 and the books of a slot, from the moves themselves. */
async function violations({ placeId, productId }: Life): Promise<unknown[]> {
  const found = await sql`
    with moved as (
      select batch, sum(case when to_place_id = ${placeId} then quantity else -quantity end) as quantity
      from stock_move where product_id = ${productId} group by 1),
    taken as (
      select batch, sum(quantity) as quantity from (
        select taken as batch, -quantity as quantity from layer_taken where product_id = ${productId}
        union all select named, quantity from layer_taken where product_id = ${productId}) both_ways
      where batch is not null group by 1),
    stands as (select batch, sum(quantity) as quantity from slot_layer where place_id = ${placeId} group by 1)
    select 'M8' as what, b.number from medicine_batch b left join moved m on m.batch = b.number
      left join taken t on t.batch = b.number left join stands s on s.batch = b.number
    where b.product_id = ${productId}
      and coalesce(m.quantity, 0) + coalesce(t.quantity, 0) <> coalesce(s.quantity, 0)
    union all
    select 'stock', l.quantity::text from stock_level l where l.place_id = ${placeId}
      and greatest(0, l.quantity) <> (select coalesce(sum(quantity), 0) from slot_layer where place_id = ${placeId})
    union all
    select 'level', l.batch from batch_level l where l.place_id = ${placeId}
      and l.quantity <> coalesce((select quantity from stands s where s.batch = l.batch), 0)`.execute(world.services.db)
  return found.rows
}

test(
  'whatever is filled, sold, told late, locked, recalled and scrapped, in any order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (all) => {
        const opened = await openLife()
        const states = { A: 'available', B: 'available', C: 'available' } as Life['states']
        const life: Life = { ...opened, real: [], states, late: [], minute: 0, day: 0 }
        for (const said of all) {
          const run = steps[said.do] as (life: Life, said: Step) => Promise<unknown>
          await run(life, said)
          countStep()
          await expectLawful(life)
        }
        expect(await violations(life)).toEqual([])
      }),
      modelRuns,
    )
    tellSteps()
  },
  MODEL_TIMEOUT_MS,
)
