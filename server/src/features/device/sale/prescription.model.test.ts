import { approvePrescription } from '@aisle/contract/pharmacy/review'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltMachine } from '../../../testing/builders'
import { countStep, livesAtOnce, MODEL_TIMEOUT_MS, runsOfMany, tellSteps } from '../../../testing/model'
import { DAY_MS, data, NOON, openPharmacy, type Pharmacy } from '../../pharmacy/testing'
import { contradictions } from '../../trade/recount'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { hearing, spoken } from '../testing'

/**
 * Random lives of prescriptions, many at once, against what must always hold (goals M3, M4, M7, M9); a failure prints
 * its seed.
 */
const LIMIT = { packs: 2, days: 7 }

let pharmacy: Pharmacy
let hear: ReturnType<typeof hearing>
let nowMs = NOON.getTime()
let seq = 0
let rx: number[]

beforeAll(async () => {
  pharmacy = await openPharmacy()
  hear = hearing(pharmacy.world)
  rx = pharmacy.products.map(({ id }) => id)
  await sql`insert into medicine (product_id, limit_group)
    values (${rx[1]}, 'ephedrine'), (${rx[2]}, 'ephedrine')`.execute(pharmacy.db)
})
afterAll(() => pharmacy.close())

type Known = { id: number; code: string; product: 0 | 1; quantity: number; uses: number; submittedMs: number }
type Order = {
  no: string
  machine: BuiltMachine
  slot: string
  person: string
  isPaid: boolean
  results: boolean[]
  atMs: number
}
/** Two people who never came before, the first with prescriptions, at machines that others come to as well. */
type Model = {
  people: [string, string]
  machines: BuiltMachine[]
  written: Known[]
  approved: Set<Known>
  orders: Order[]
}

const wished = { which: fc.nat(9), at: fc.nat(2) }
/** Few are written and signed; most of a life is what becomes of them. */
const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      product: fc.constantFrom(0 as const, 1 as const),
      quantity: fc.constantFrom(1, 2),
      uses: fc.constantFrom(1, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('approve' as const), which: fc.nat(9), isOwn: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('ask' as const), ...wished, packs: fc.constantFrom(1, 1, 1, 2, 2, 3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('show' as const),
      who: fc.constantFrom(0 as const, 0 as const, 1 as const),
      at: fc.nat(2),
      packs: fc.constantFrom(1, 1, 2, 3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), which: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('vend' as const),
      which: fc.nat(9),
      isOut: fc.constantFrom(true, true, false),
      times: fc.constantFrom(1, 1, 2),
    }),
  },
)
/** Time passes for all of them. */
const time = fc.constantFrom(6 * 60_000, 6 * 60_000, DAY_MS, 2 * DAY_MS)
const moment = fc.oneof(
  { weight: 8, arbitrary: fc.array(step, { minLength: livesAtOnce, maxLength: livesAtOnce }) },
  { weight: 2, arbitrary: time },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Weights by which GB 11643 makes the eighteenth digit of an id number from the others. */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
let known = 0
function nextPerson(): string {
  known += 1
  const born = new Date(Date.UTC(1980, 0, 1 + Math.floor(known / 999)))
  const nth = String(1 + (known % 999)).padStart(3, '0')
  const body = `330106${born.toISOString().slice(0, 10).replaceAll('-', '')}${nth}`
  const sum = WEIGHTS.reduce((all, weight, at) => all + weight * Number(body[at]), 0)
  return `${body}${'10X98765432'[sum % 11]}`
}

const say = (machine: BuiltMachine, type: string, content: Record<string, unknown>) => {
  seq += 1
  return hear(spoken(pharmacy.world, machine.code, seq, type, content))
}
const pick = <T>(from: readonly T[], which: number): T | undefined => from[which % Math.max(1, from.length)]
const slotOf = ({ product }: Known) => (product === 0 ? 'A1' : 'A2')

const steps: { [D in Step['do']]: (model: Model, said: Extract<Step, { do: D }>) => Promise<void> } = {
  write: async (model, { product, quantity, uses }) => {
    const more = { patientIdNumber: model.people[0], warningReason: 'so', uses, intervalDays: 1 }
    const lines = [{ productId: rx[product] ?? 0, quantity, dose: 1, timesADay: 12, days: 7 }]
    const made = data<{ id: number; code: string }>(await pharmacy.write(lines, more))
    model.written.push({ ...made, product, quantity, uses, submittedMs: nowMs })
  },
  approve: async (model, { which, isOwn }) => {
    const known = pick(model.written, which)
    if (!known) return
    const by = isOwn ? pharmacy.doctor : pharmacy.pharmacist
    const contentHash = await pharmacy.hashOf(known.id)
    const { status } = await by.call(approvePrescription, { id: known.id, contentHash, reason: 'seen' })
    if (status !== 200) return
    expect(isOwn).toBe(false)
    expect(model.approved.has(known)).toBe(false)
    model.approved.add(known)
  },
  ask: async (model, { which, at, packs }) => {
    const known = pick(model.written, which)
    const machine = model.machines[at]
    if (!known || !machine) return
    const no = `M-${seq}`
    const items = Array.from({ length: packs }, () => ({ slot: slotOf(known) }))
    const { replies } = await say(machine, 'order.request', {
      orderNo: no,
      method: 'wechat',
      prescription: known.code,
      items,
    })
    const answer = replies[0]?.answer
    if (!answer || 'refused' in answer) return
    expect(model.approved.has(known)).toBe(true)
    expect(nowMs).toBeLessThan(known.submittedMs + (3 + known.uses - 1) * DAY_MS)
    expect(packs).toBeLessThanOrEqual(known.quantity)
    const results = items.map(() => false)
    const order = { no, machine, slot: slotOf(known), person: model.people[0], isPaid: false }
    model.orders.push({ ...order, results, atMs: nowMs })
  },
  show: async (model, { who, at, packs }) => {
    const machine = model.machines[at]
    const person = model.people[who]
    if (!machine) return
    const no = `M-${seq}`
    const items = Array.from({ length: packs }, () => ({ slot: 'A3' }))
    const asked = { orderNo: no, method: 'wechat', items, person: { idNumber: person, age: 40 } }
    const answer = (await say(machine, 'order.request', asked)).replies[0]?.answer
    if (!answer || 'refused' in answer) return
    const results = items.map(() => false)
    model.orders.push({ no, machine, slot: 'A3', person, isPaid: false, results, atMs: nowMs })
  },
  pay: async (model, { which }) => {
    const order = pick(model.orders, which)
    if (!order) return
    const paid = {
      orderNo: order.no,
      method: 'wechat',
      amountFen: 500 * order.results.length,
      channelNo: `W${order.no}`,
    }
    const { replies } = await say(order.machine, 'pay.result', paid)
    order.isPaid ||= replies.some(({ ack }) => ack?.state === 'processed')
  },
  vend: async (model, { which, isOut, times }) => {
    const order = pick(model.orders, which)
    if (!order) return
    const codes = isOut ? { motorCode: '100', sensorCode: '01' } : { motorCode: '102', sensorCode: '03' }
    for (let again = 0; again < times; again += 1) {
      for (const index of order.results.keys()) {
        await say(order.machine, 'vend.result', {
          orderNo: order.no,
          index,
          slot: order.slot,
          ok: isOut,
          ...codes,
        })
      }
    }
  },
}

async function pass(ms: number): Promise<void> {
  nowMs += ms
  pharmacy.world.setNow(new Date(nowMs))
  await pharmacy.db.transaction().execute((tx) => sweepWaiting(tx, new Date(nowMs)))
}

/** What came out against what was allowed, from the orders themselves and not from the counts that are tested. */
async function violations(written: readonly Known[]): Promise<unknown[]> {
  const found = await sql`
    with taken as (
      select p.id, p.uses, n.quantity, n.excess, n.held, n.dispensed, f.occurred_at,
        p.patient_id_hash as person, m.limit_group,
        count(*) filter (where i.state = 'dispensed') as out,
        count(*) filter (where i.state in ('held', 'unknown')) as kept
      from prescription p join prescription_item n on n.prescription_id = p.id
      left join medicine m on m.product_id = n.product_id
      left join prescription_fill f on f.prescription_id = p.id
      left join prescription_fill_item i on i.order_id = f.order_id and i.product_id = n.product_id
      where p.id = any(${written.map(({ id }) => id)}::bigint[])
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9)
    select 'M4' as what, id from taken group by id, uses, quantity, excess, held, dispensed
      having sum(out) - excess + sum(kept) > uses * quantity or sum(out) <> dispensed + excess or sum(kept) <> held
    union all
    select 'M7', p.id from prescription p join taken using (id) where p.reviewed_by = p.doctor_id
    union all
    select 'M9', a.id from taken a where a.limit_group is not null and a.out + a.kept > 0 and (
      select sum(b.out + b.kept) from taken b where b.person = a.person and b.limit_group = a.limit_group
        and b.occurred_at > a.occurred_at - make_interval(days => ${LIMIT.days}) and b.occurred_at <= a.occurred_at
    ) > ${LIMIT.packs}`.execute(pharmacy.db)
  return found.rows
}

type Had = { orderNo: string; packs: number }

/** What each person had of the group, on prescriptions and by their document, counted from the pieces of the orders. */
async function overLimit(orders: readonly Order[]): Promise<string[]> {
  const found = await sql<Had>`
    select o.order_no as "orderNo", count(*)::int as packs from orders o
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    join medicine m on m.product_id = i.product_id and m.limit_group is not null
    where o.order_no = any(${orders.map(({ no, machine }) => `${machine.code}-${no}`)}::text[])
      and (i.state in ('dispensed', 'no_answer') or i.state = 'waiting' and o.order_state = 'open')
    group by 1`.execute(pharmacy.db)
  const packs = new Map(found.rows.map((row) => [row.orderNo, row.packs]))
  const had = orders.map((order) => ({ ...order, packs: packs.get(`${order.machine.code}-${order.no}`) ?? 0 }))
  return had.flatMap(({ no, person, atMs }) => {
    const within = had.filter(
      (each) => each.person === person && each.atMs <= atMs && each.atMs > atMs - LIMIT.days * DAY_MS,
    )
    const sum = within.reduce((all, each) => all + each.packs, 0)
    return sum > LIMIT.packs ? [`M9 ${no}: ${sum}`] : []
  })
}

async function openLives(): Promise<Model[]> {
  const today = new Date(nowMs)
  await sql`select ensure_partitions(${today}::date, ${today}::date + 100)`.execute(pharmacy.db)
  await sql`update licence set valid_to = null`.execute(pharmacy.db)
  const machines: BuiltMachine[] = []
  while (machines.length < livesAtOnce) machines.push(await pharmacy.hospital(500))
  const models = machines.map((_, at): Model => {
    const near = [0, 1, 2].flatMap((more) => machines[(at + more) % machines.length] ?? [])
    return { people: [nextPerson(), nextPerson()], machines: near, written: [], approved: new Set(), orders: [] }
  })
  const first: Step = { do: 'write', product: 0, quantity: 2, uses: 1 }
  await Promise.all(models.map((model) => live(model, first)))
  await Promise.all(models.map((model) => live(model, { ...first, product: 1 })))
  return models
}

async function live(model: Model, said: Step | undefined): Promise<void> {
  if (!said) return
  const run = steps[said.do] as (model: Model, said: Step) => Promise<void>
  await run(model, said)
  countStep()
}

test(
  'whatever is asked, paid, dispensed, repeated and silent, in any order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 20, maxLength: 45 }), async (all) => {
        const models = await openLives()
        for (const said of all) {
          if (Array.isArray(said)) await Promise.all(models.map((model, at) => live(model, said[at])))
          else await pass(said)
        }
        expect(await violations(models.flatMap(({ written }) => written))).toEqual([])
        expect(await overLimit(models.flatMap(({ orders }) => orders))).toEqual([])
      }),
      runsOfMany,
    )
    tellSteps()
    expect(await contradictions(pharmacy.db)).toEqual([])
  },
  MODEL_TIMEOUT_MS,
)
