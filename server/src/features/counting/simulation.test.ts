import {
  addCountLine,
  type CountLine,
  explainLines,
  finishCount,
  getCount,
  openCount,
  postCount,
  saveCount,
} from '@aisle/contract/counting/count'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { randomFrom } from '../../testing/trade'
import { openWorld, type World } from '../../testing/world'
import { type Move, outsidePlaces, recordMoves } from '../stock/public'
import { routes } from './counting.routes'

/** The long form: `SEEDS=1000 STEPS=500`; a failure names its seed, `SEED=…` plays it again. */
const seeds = Number(process.env.SEEDS ?? 3)
const steps = Number(process.env.STEPS ?? 30)
const firstSeed = Number(process.env.SEED ?? 1)
const NOON = new Date('2026-11-20T04:00:00Z')
const BATCHES = ['A', 'B'] as const

let world: World
let http: HttpWorld
let merchantId: number
const people: number[] = []
beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  merchantId = await addMerchant(db)
  for (let i = 0; i < 2; i += 1) people.push((await addUser(db, { merchantId, grants: ['stockCount.*'] })).id)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Slot = BuiltMachine['slots'][number] & { isMedicine: boolean; real: (string | null)[] }
type Life = {
  machine: BuiltMachine
  slots: Slot[]
  /** Happened, and not heard yet. */
  late: Move[]
  pending: number | null
  minute: number
  random: (below: number) => number
}

async function begin(seed: number): Promise<Life> {
  const { db } = world.services
  const medicine = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId }), medicine]
  const machine = await addMachine(db, { merchantId, products, stock: 0 })
  const slots = machine.slots.map((slot) => ({ ...slot, isMedicine: slot.productId === medicine.id, real: [] }))
  world.setNow(NOON)
  return { machine, slots, late: [], pending: null, minute: 0, random: randomFrom(seed) }
}

function pass(life: Life): Date {
  life.minute += 1
  const at = new Date(NOON.getTime() + life.minute * 60_000)
  world.setNow(at)
  return at
}

const book = (moves: readonly Move[]) => world.services.db.transaction().execute((tx) => recordMoves(tx, moves))

/** What happens in the machine, heard now or much later. */
async function happen(life: Life, slot: Slot, told: { cause: 'fill' | 'vend'; batch: string | null; pieces: number }) {
  const { cause, batch, pieces: quantity } = told
  const kind = cause === 'fill' ? 'supplier' : 'customer'
  const outside = await world.services.db
    .transaction()
    .execute(async (tx) => (await outsidePlaces(tx, kind, [merchantId])).get(merchantId) ?? 0)
  const [fromPlaceId, toPlaceId] = cause === 'fill' ? [outside, slot.placeId] : [slot.placeId, outside]
  const about = { merchantId, movedAt: pass(life), productId: slot.productId, reference: `sim/${life.minute}` }
  const move = { ...about, quantity, fromPlaceId, toPlaceId, cause, batch }
  if (life.random(3) === 0) life.late.push(move)
  else await book([move])
}

const call = async (who: 0 | 1, endpoint: Endpoint, input: Record<string, unknown>) => {
  const token = await addSession(world.services.db, people[who] ?? 0, world.services.clock.now())
  const { status, body, text } = await http.call(endpoint, input, { token })
  if (status !== 200) throw new Error(`${endpoint.name} answered ${status}: ${text}`)
  return body.data as Record<string, unknown>
}
const linesOf = async (id: number) => (await call(0, getCount, { id })).items as unknown as CountLine[]

/** Everything as it stands there, batch by batch, by one and where it is asked for by another. */
async function count(life: Life): Promise<number> {
  pass(life)
  const id = Number((await call(0, openCount, { machineCode: life.machine.code, scope: 'all' })).id)
  for (const slot of life.slots.filter(({ isMedicine }) => isMedicine)) {
    const known = (await linesOf(id)).filter(({ slotCode }) => slotCode === slot.code).map(({ batch }) => batch)
    for (const batch of new Set(slot.real)) {
      if (!known.includes(batch)) await call(0, addCountLine, { id, slotCode: slot.code, batch })
    }
  }
  const at = pass(life).toISOString()
  const say = async (who: 0 | 1, lines: readonly CountLine[]) => {
    const said = lines.map((line) => ({ id: line.id, counted: foundOf(life, line), countedAt: at }))
    await call(who, saveCount, { id, sentAt: world.services.clock.now().toISOString(), lines: said })
    return call(who, finishCount, { id })
  }
  const { state } = await say(0, await linesOf(id))
  if (state === 'recounting')
    await say(
      1,
      (await linesOf(id)).filter(({ needsSecond }) => needsSecond),
    )
  return id
}

function foundOf({ slots }: Life, { slotCode, batch }: CountLine): number {
  const slot = slots.find(({ code }) => code === slotCode)
  if (!slot) return 0
  return slot.isMedicine ? slot.real.filter((each) => each === batch).length : slot.real.length
}

async function post(id: number): Promise<void> {
  const lines = await linesOf(id)
  await call(0, explainLines, { id, lineIds: lines.map((line) => line.id), reason: 'other' })
  await call(0, postCount, { id, costFen: lines.reduce((sum, { costFen }) => sum + (costFen ?? 0), 0) })
}

async function step(life: Life): Promise<void> {
  const { random, slots, late } = life
  const slot = slots[random(slots.length)]
  if (!slot) return
  const turn = random(12)
  if (turn < 3) {
    const batch = slot.isMedicine ? (BATCHES[random(2)] ?? null) : null
    const pieces = 1 + random(4)
    slot.real.push(...Array.from({ length: pieces }, () => batch))
    await happen(life, slot, { cause: 'fill', batch, pieces })
  } else if (turn < 8) {
    if (slot.real.length === 0) return
    slot.real.shift()
    await happen(life, slot, { cause: 'vend', batch: null, pieces: 1 })
  } else if (turn === 8) {
    // Nobody tells of it.
    slot.real.pop()
  } else if (turn === 9) {
    await book(late.splice(random(late.length + 1)))
  } else if (turn === 10 && life.pending === null) {
    life.pending = await count(life)
  } else if (life.pending !== null) {
    await post(life.pending)
    life.pending = null
  }
}

/** By level, by layers and by moves, against what really stands there. */
async function faults({ slots }: Life): Promise<string[]> {
  const found = await sql<{ placeId: number; level: number; moved: number; layers: number }>`
    select l.place_id as "placeId", l.quantity as level,
      (select coalesce(sum(case when v.to_place_id = l.place_id then v.quantity else -v.quantity end), 0)::int
        from stock_move v
        where l.place_id in (v.to_place_id, v.from_place_id) and v.product_id = l.product_id) as moved,
      (select coalesce(sum(y.quantity), 0)::int from slot_layer y where y.place_id = l.place_id) as layers
    from stock_level l where l.place_id = any(${slots.map(({ placeId }) => placeId)}::bigint[])`.execute(
    world.services.db,
  )
  const byPlace = new Map(found.rows.map((row) => [row.placeId, row]))
  return slots.flatMap(({ code, placeId, real, isMedicine }) => {
    const { level = 0, moved = 0, layers = 0 } = byPlace.get(placeId) ?? {}
    const isTrue = level === real.length && moved === level && (!isMedicine || layers === level)
    return isTrue ? [] : [`${code}: ${real.length} stand there, level ${level}, moves ${moved}, layers ${layers}`]
  })
}

test.each(Array.from({ length: seeds }, (_, i) => firstSeed + i))(
  'whatever is sold, filled, stolen, counted and heard late, the books are what stands there, seed %i',
  { timeout: 60_000 + steps * 4_000 },
  async (seed) => {
    const life = await begin(seed)
    for (let i = 0; i < steps; i += 1) await step(life)
    if (life.pending !== null) await post(life.pending)
    await post(await count(life))
    // What was before the last count is heard after it, the newest first.
    for (const move of life.late.splice(0).reverse()) await book([move])
    expect({ seed, faults: await faults(life) }).toEqual({ seed, faults: [] })
  },
)
