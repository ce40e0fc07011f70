import type { Step } from '@aisle/contract/field/visit'
import { businessTime } from '../../../kernel/businessDay'
import type { CommandContext } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { Refusal } from '../../../kernel/refuse'
import { takeVisitCounts } from '../../counting/public'
import { addRepairOrder } from '../../maintenance/public'
import { bagOf, findProducts, productKey, pullOut, takeFills } from '../../stock/public'
import { takeBox } from '../cash/cash.commands'
import { differencesOf, type Told, twinOf } from './visit.rules'
import { goodsFacts, goodsKey, type HeldStop, type NewStep, slotsOf, type VisitRow } from './visit.store'

/** A step with the moment at which it really was, by the server's clock. */
export type Timed<S extends Step = Step> = S & { at: Date }
export type Outcome = Pick<NewStep, 'answer' | 'reason' | 'differs' | 'isBooked'>
export type Visit = VisitRow & {
  stop: HeldStop
  /** Of whom the steps are. */
  by: { userId: number; account: string }
  /** What other phones have told; empty when somebody has decided that it counts all the same. */
  others: readonly Told[]
}
type Of<K extends Step['kind']> = Extract<Timed, { kind: K }>

const applied: Outcome = { answer: 'applied', reason: null, differs: [], isBooked: true }
const refused = (reason: string): Outcome => ({ answer: 'refused', reason, differs: [], isBooked: false })
const asked = (differs: Outcome['differs'], isBooked: boolean): Outcome =>
  differs.length === 0 ? applied : { answer: 'needsReview', reason: null, differs, isBooked }

/** Steps of one kind, in their order: what comes of each. Changes `countId` of the visit where a count began. */
export async function applyRun(ctx: CommandContext, visit: Visit, run: readonly Timed[]): Promise<Map<Timed, Outcome>> {
  const all = (kind: string) => run.filter((step) => step.kind === kind) as never[]
  const [first] = run
  switch (first?.kind) {
    case 'count':
      return count(ctx, visit, all('count'))
    case 'fill':
      return fill(ctx, visit, all('fill'))
    case 'takeOut':
      return takeOut(ctx, visit, all('takeOut'))
    case 'cash':
      return cash(ctx, visit, all('cash'))
    case 'fault':
      return fault(ctx, visit, all('fault'))
    default:
      return new Map(run.map((step) => [step, applied]))
  }
}

type Goods = Of<'count'> | Of<'fill'> | Of<'takeOut'>
type Found<S> = {
  step: S
  slotId: number
  placeId: number
  productId: number
  slot: { wantedCode: string | null; priceFen: number | null }
}

/** The slot and product that each names; what names none is refused. */
async function resolve<S extends Goods>(ctx: CommandContext, { stop }: Visit, run: readonly S[]) {
  const { merchantId, machineId } = stop
  const slots = await slotsOf(ctx, machineId)
  const products = await findProducts(
    ctx.tx,
    run.map(({ productCode: code }) => ({ merchantId, code })),
  )
  const outcomes = new Map<Timed, Outcome>()
  const found = run.flatMap((step): Found<S>[] => {
    const slot = slots.get(step.slotCode)
    const product = products.get(productKey({ merchantId, code: step.productCode }))
    if (slot && product) return [{ step, slotId: slot.id, placeId: slot.placeId, productId: product.id, slot }]
    outcomes.set(step, refused(slot ? 'visit.product' : 'visit.slot'))
    return []
  })
  return { outcomes, found }
}

/** What another phone told before waits for somebody to say whether it is the same. */
function heldTwins<S extends Of<'fill'> | Of<'takeOut'>>({ others }: Visit, found: readonly Found<S>[]) {
  const twins = new Map<Timed, Outcome>()
  const free = found.filter(({ step }) => {
    const twin = twinOf(step, others)
    if (!twin) return true
    const books = `${twin.who} ${twin.pieces}`
    twins.set(step, asked([{ kind: 'twice', said: String(step.pieces), books }], false))
    return false
  })
  return { twins, free }
}

const factsKeyOf = ({ step, placeId, productId }: Found<Goods>) => goodsKey({ placeId, productId, batch: step.batch })
const goodsOf = (found: readonly Found<Goods>[]) =>
  found.map(({ step, placeId, productId }) => ({ placeId, productId, batch: step.batch }))
const referenceOf = ({ id }: Visit, step: Step) => `visit/${id}/${step.id}`

async function fill(ctx: CommandContext, visit: Visit, run: readonly Of<'fill'>[]) {
  const { outcomes, found } = await resolve(ctx, visit, run)
  const { twins, free } = heldTwins(visit, found)
  const facts = await goodsFacts(ctx, visit.stop, visit.by, goodsOf(free))
  const { merchantId, machineId, timeZone } = visit.stop
  const fills = free.map((one) => {
    const { step } = one
    const { isMedicine, ...known } = must(facts.get(factsKeyOf(one)), 'goods')
    return {
      ...one,
      known,
      isMedicine,
      merchantId,
      machineId,
      slot: step.slotCode,
      product: step.productCode,
      quantity: step.pieces,
      occurredAt: step.at,
      batch: (isMedicine && step.batch) || null,
      counted: { replenisher: visit.by.account },
      by: { userId: visit.by.userId },
      reference: referenceOf(visit, step),
      plan: one.slot,
    }
  })
  const { outside } = await takeFills(ctx.tx, fills)
  for (const each of fills) {
    const { step, isMedicine, known, plan } = each
    const differs = differencesOf({
      said: step,
      slot: plan,
      batch: isMedicine ? { facts: known.facts } : null,
      day: businessTime(step.at, timeZone).day,
      outside: outside.get(each) ?? 0,
      others: known.others,
    })
    outcomes.set(step, asked(differs, true))
  }
  return new Map([...outcomes, ...twins])
}

async function takeOut(ctx: CommandContext, visit: Visit, run: readonly Of<'takeOut'>[]) {
  const { outcomes, found } = await resolve(ctx, visit, run)
  const { twins, free } = heldTwins(visit, found)
  const facts = await goodsFacts(ctx, visit.stop, visit.by, goodsOf(free))
  const { merchantId, machineId } = visit.stop
  const { userId, account: replenisher } = visit.by
  const pulled = free.map((one) => {
    const { step, placeId, productId } = one
    const batch = (facts.get(factsKeyOf(one))?.isMedicine && step.batch) || null
    const of = { one, merchantId, machineId, userId, replenisher, reference: referenceOf(visit, step) }
    const isExpired = step.why === 'expired'
    return { ...of, placeId, productId, quantity: step.pieces, batch, at: step.at, isExpired }
  })
  const hindrance = await hindered(() => bagOf(ctx, merchantId, userId))
  const booked = hindrance === null ? await pullOut(ctx.tx, pulled, ctx.now()) : new Map<unknown, { pieces: number }>()
  for (const each of pulled) {
    const { one, quantity } = each
    const there = facts.get(factsKeyOf(one))?.there ?? 0
    const isShort = there < (booked.get(each)?.pieces ?? 0)
    const differs = isShort ? [{ kind: 'slotShort' as const, said: String(quantity), books: String(there) }] : []
    outcomes.set(one.step, hindrance ? refused(hindrance) : asked(differs, true))
  }
  return new Map([...outcomes, ...twins])
}

async function count(ctx: CommandContext, visit: Visit, run: readonly Of<'count'>[]) {
  const { outcomes, found } = await resolve(ctx, visit, run)
  const facts = await goodsFacts(ctx, visit.stop, visit.by, goodsOf(found))
  const counts = found.map((one) => ({
    ...one,
    slotCode: one.step.slotCode,
    productCode: one.step.productCode,
    batch: (facts.get(factsKeyOf(one))?.isMedicine && one.step.batch) || null,
    counted: one.step.counted,
    at: one.step.at,
  }))
  const of = { machineId: visit.stop.machineId, openedAt: visit.openedAt, countId: visit.countId }
  const { problems, countId } = await takeVisitCounts(ctx, of, counts)
  visit.countId = countId
  for (const each of counts) {
    const problem = problems.get(each)
    outcomes.set(each.step, problem ? refused(problem) : applied)
  }
  return outcomes
}

async function fault(ctx: CommandContext, visit: Visit, run: readonly Of<'fault'>[]) {
  const outcomes = new Map<Timed, Outcome>()
  const { machineCode } = visit.stop
  for (const step of run) {
    const { what, slotCode, picture } = step
    const twin = twinOf({ ...step, productCode: '', batch: '' }, visit.others)
    if (twin) {
      outcomes.set(step, asked([{ kind: 'twice', said: what, books: twin.who }], false))
      continue
    }
    const about = { machineCode, kind: 'repair' as const, problem: what, slots: slotCode, dueOn: null }
    const pictures = picture === null ? [] : [picture]
    const hindrance = await hindered(async () => {
      await addRepairOrder(ctx, { ...about, pictures, assigneeId: null, alarmId: null })
    })
    outcomes.set(step, hindrance ? refused(hindrance) : applied)
  }
  return outcomes
}

async function cash(ctx: CommandContext, { stop }: Visit, run: readonly Of<'cash'>[]) {
  const outcomes = new Map<Timed, Outcome>()
  const machine = { id: stop.machineId, merchantId: stop.merchantId, code: stop.machineCode }
  for (const step of run) {
    const { id, boxNo, at } = step
    const hindrance = await hindered(() => takeBox(ctx, machine, { boxNo, at, step: id }))
    outcomes.set(step, hindrance ? refused(hindrance) : applied)
  }
  return outcomes
}

/** @returns the code of the refusal with which it ended, before it wrote anything; null where it was done */
async function hindered(run: () => Promise<unknown>): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
