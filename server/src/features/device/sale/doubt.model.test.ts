import { releaseSlots } from '@aisle/contract/device/temperature'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessTime } from '../../../kernel/businessDay'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { countStep, livesAtOnce, MODEL_TIMEOUT_MS, runsOfMany, tellSteps } from '../../../testing/model'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { outsidePlaces, recordMoves } from '../../stock/public'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { routes } from '../record/temperature.routes'
import { hearing, spoken } from '../testing'

/**
 * Random lives of medicine cabinets as their machines speak with the server, many at once (goals M1, M2, M6, M10): what
 * is quoted and what is shipped is exactly what may be, by our own clock. A failure prints its seed; `MINUTES=30` plays
 * as long.
 */
const MINUTE_MS = 60_000
const ZONE = 'Asia/Shanghai'
const LIMITS = { min: 2, max: 8 }
const QUOTED_MS = 5 * MINUTE_MS

let world: World
let http: HttpWorld
let hear: ReturnType<typeof hearing>
let userId: number
let merchantId: number
let supplierId: number
let nowMs = Date.parse('2026-11-20T04:00:00Z')
let seq = 0

beforeAll(async () => {
  world = await openWorld(new Date(nowMs))
  http = await openHttp(world, routesWith(...routes))
  hear = hearing(world)
  const { db } = world.services
  merchantId = await addMerchant(db)
  await sql`insert into setting (key, merchant_id, value) values ('medicine.marginDays', null, '0')`.execute(db)
  userId = (await addUser(db, { merchantId, grants: ['*'] })).id
  const places = await db.transaction().execute((tx) => outsidePlaces(tx, 'supplier', [merchantId]))
  supplierId = places.get(merchantId) ?? 0
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('measure' as const), celsius: fc.constantFrom(5, 5, 8.1, 1.9) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('state' as const), state: fc.constantFrom('available', 'locked') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recall' as const), after: fc.constantFrom(0, 0, 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      // How far the machine's clock is off, and how long the message lay in the machine or on its way.
      skew: fc.constantFrom(0, 0, 0, 3, -4, 12, -30),
      lay: fc.constantFrom(0, 0, 0, 0, 8),
      isOnItsWay: fc.boolean(),
      offline: fc.constantFrom(false, false, false, true),
      twice: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), which: fc.nat(4) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
/** Time passes for all of them. */
const time = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 90) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('midnight' as const), beforeMinutes: fc.constantFrom(0, 2) }) },
)
type Time = typeof time extends fc.Arbitrary<infer T> ? T : never
const moment = fc.oneof(
  { weight: 16, arbitrary: fc.array(step, { minLength: livesAtOnce, maxLength: livesAtOnce }) },
  { weight: 3, arbitrary: time },
)
type Quoted = { orderNo: string; atMs: number; isPaid: boolean }
type Life = {
  machine: BuiltMachine
  productId: number
  expiresOn: string
  state: string
  celsius: number
  isHeld: boolean
  quoted: Quoted[]
}

const at = (ms: number) => new Date(ms).toISOString()
const dayNow = () => businessTime(new Date(nowMs), ZONE).day
const advance = (ms: number) => {
  nowMs += ms
  world.setNow(new Date(nowMs))
}
const say = ({ machine }: Life, type: string, content: Record<string, unknown>, said: Record<string, unknown> = {}) => {
  seq += 1
  return hear(spoken(world, machine.code, seq, type, content, said))
}
/** By the words of the goals, not by the rules that are tested. */
const mayLeave = ({ isHeld, state, expiresOn }: Life) => !isHeld && state === 'available' && dayNow() <= expiresOn

const steps: { [D in Step['do']]: (life: Life, said: Extract<Step, { do: D }>) => Promise<void> } = {
  measure: async (life, { celsius }) => {
    await say(life, 'temperature', { probe: 0, celsius })
    const isOut = celsius < LIMITS.min || celsius > LIMITS.max
    life.celsius = celsius
    // Nothing is asked again until the message was taken: it is stopped with it.
    life.isHeld ||= isOut
  },
  release: async (life) => {
    // Signed in anew: a life takes days.
    const token = await addSession(world.services.db, userId, new Date(nowMs))
    const { status } = await http.call(releaseSlots, { id: life.machine.id, reason: 'seen' }, { token })
    const isWell = life.celsius >= LIMITS.min && life.celsius <= LIMITS.max
    const isReleased = isWell && life.isHeld
    expect({ isReleased: status === 200, ...life }).toMatchObject({ isReleased })
    if (status === 200) life.isHeld = false
  },
  state: (life, { state }) => (life.state === 'recalled' ? Promise.resolve() : setState(life, state)),
  recall: async (life, { after }) => {
    if (life.quoted.length >= after) await setState(life, 'recalled')
  },
  ask: async (life, { skew, lay, isOnItsWay, offline, twice }) => {
    const orderNo = `D-${(seq += 1)}`
    const wall = nowMs + skew * MINUTE_MS
    const occurred = wall - lay * MINUTE_MS
    const said = { occurredAt: at(occurred), sentAt: at(isOnItsWay ? occurred : wall), offline }
    const isInDoubt = offline || Math.abs(occurred - nowMs) > 5 * MINUTE_MS
    const content = { orderNo, method: 'wechat', items: [{ slot: life.machine.slots[0]?.code }] }
    for (const _time of twice ? [1, 2] : [1]) {
      const { replies } = await say(life, 'order.request', content, said)
      const answer = replies[0]?.answer
      const isQuoted = answer !== undefined && !('refused' in answer)
      expect({ isQuoted, ...life, day: dayNow() }).toMatchObject({ isQuoted: !isInDoubt && mayLeave(life) })
      if (isQuoted) life.quoted.push({ orderNo, atMs: nowMs, isPaid: false })
    }
  },
  pay: async (life, { which }) => {
    const order = life.quoted[which % Math.max(1, life.quoted.length)]
    if (!order) return
    const paid = { orderNo: order.orderNo, method: 'wechat', amountFen: 500, channelNo: `W${order.orderNo}` }
    const { dispatches } = await say(life, 'pay.result', paid)
    const isFresh = !life.quoted.some((each) => each.orderNo === order.orderNo && each.isPaid)
    const isShipped = dispatches.some(({ data }) => Reflect.get(data, 'orderNo') === order.orderNo)
    // The sweep closes what is older: a payment in the last moment is in time.
    const isOpen = isFresh && nowMs - order.atMs <= QUOTED_MS
    expect({ isShipped, ...life, day: dayNow() }).toMatchObject({ isShipped: isOpen && mayLeave(life) })
    order.isPaid = true
  },
}

async function pass(said: Time): Promise<void> {
  if (said.do === 'wait') advance(said.minutes * MINUTE_MS)
  else {
    const next = Date.parse(`${dayNow()}T16:00:00Z`)
    const then = next - said.beforeMinutes * MINUTE_MS + (said.beforeMinutes === 0 ? 1_000 : 0)
    // Our own clock never goes back.
    if (then > nowMs) advance(then - nowMs)
  }
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, new Date(nowMs)))
}

async function setState(life: Life, state: string): Promise<void> {
  life.state = state
  await sql`update medicine_batch set state = ${state} where product_id = ${life.productId}`.execute(world.services.db)
}

async function openLife(): Promise<Life> {
  const { db } = world.services
  await sql`select ensure_partitions(${dayNow()}::date, ${dayNow()}::date + 40)`.execute(db)
  const product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const machine = await addMachine(db, { merchantId, products: [product], licenceMode: 'retail', stock: 0 })
  await sql`update machine set category = 'medicine', temperature_min_c = ${LIMITS.min},
    temperature_max_c = ${LIMITS.max} where id = ${machine.id}`.execute(db)
  // Good for today and tomorrow.
  const expiresOn = businessTime(new Date(nowMs + 1440 * MINUTE_MS), ZONE).day
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    values (${product.id}, 'A', ${expiresOn}, ${new Date(nowMs)})`.execute(db)
  await db.transaction().execute((tx) =>
    recordMoves(tx, [
      {
        merchantId,
        movedAt: new Date(nowMs),
        productId: product.id,
        quantity: 500,
        fromPlaceId: supplierId,
        toPlaceId: machine.slots[0]?.placeId ?? 0,
        cause: 'fill',
        reference: 'model',
        batch: 'A',
      },
    ]),
  )
  return { machine, productId: product.id, expiresOn, state: 'available', celsius: 5, isHeld: false, quoted: [] }
}

async function live(life: Life, said: Step | undefined): Promise<void> {
  if (!said) return
  const run = steps[said.do] as (life: Life, said: Step) => Promise<void>
  await run(life, said)
  countStep()
}

test(
  'whatever is measured, asked late or by a wrong clock, paid, recalled and released, in any order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 20, maxLength: 45 }), async (all) => {
        const lives: Life[] = []
        while (lives.length < livesAtOnce) lives.push(await openLife())
        for (const said of all) {
          if (Array.isArray(said)) await Promise.all(lives.map((life, at) => live(life, said[at])))
          else await pass(said)
        }
      }),
      runsOfMany,
    )
    tellSteps()
  },
  MODEL_TIMEOUT_MS,
)
