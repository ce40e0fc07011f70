import type { MessageData, OrderAnswer } from '@aisle/contract/device/messages'
import type { PaymentMethod } from '@aisle/contract/trade/states'
import { type Asked, ask, awaitShip, newOrderNo } from '../link/asking'
import { compose, record } from '../link/delivery'
import { goesOn, isSellable, LEFT, stockNote, turn, whenMotorIsFree } from './motor'
import { between, chance } from '../random'
import { reportFault } from '../reports'
import { heldNow, sellByCard, sellByCode } from './tender'
import { type Machine, type SaleOutcome, type Slot, steadyMs, wallMs } from '../world'

/** A customer's wish: one piece of each slot named, a slot may be named twice. */
export type Wish = { slots: string[]; method: PaymentMethod; isPlay?: boolean }

const DAY_MS = 86_400_000
const CLOSED_AFTER_REFUSAL_MS = 10 * 60_000

/** Serves one customer from choosing to goods or regret. Settles when the machine is free again. */
export async function sell(machine: Machine, wish: Wish): Promise<SaleOutcome> {
  const slots = wish.slots.flatMap((code) => machine.slots.find((slot) => slot.code === code) ?? [])
  const isTesting = steadyMs(machine) < machine.testingUntilMs
  const canServe = machine.isOn && !machine.isBusy && !machine.isSaleStopped && !isTesting
  if (!canServe || slots.length !== wish.slots.length || !slots.every((slot) => isSellable(machine, slot))) {
    return 'impossible'
  }
  // Only cash is settled by the machine alone; everything else needs the server.
  if (wish.method === 'cash' ? !machine.takesCash : !machine.isUp) return 'impossible'
  if (!canBeHad(machine, slots, wish)) return 'impossible'
  const { method } = wish
  const isHeld = method === 'pickup_code' || method === 'member_card'
  if (isHeld && !heldNow(machine, method)) return 'impossible'
  const { boot } = machine
  machine.isBusy = true
  const outcome = await serve(machine, slots, wish)
  if (machine.boot === boot) machine.isBusy = false
  machine.world.count(outcome)
  return outcome
}

function serve(machine: Machine, slots: Slot[], wish: Wish): Promise<SaleOutcome> {
  if (wish.method === 'cash') return sellForCash(machine, slots)
  if (wish.method === 'pickup_code') return sellByCode(machine)
  return wish.method === 'member_card' ? sellByCard(machine, wish) : sellByReader(machine, slots, wish)
}

/** Pieces that a prescription sells: those of which somebody holds one. */
const onPaper = (machine: Machine, slots: readonly Slot[]): Slot[] =>
  slots.filter(({ product }) => machine.prescriptions.some((each) => each.product === product))

const paperFor = (machine: Machine, slots: readonly Slot[]) => {
  const [wanted] = onPaper(machine, slots)
  const isFree = (each: { freeFromMs: number }) => each.freeFromMs <= steadyMs(machine)
  return wanted && machine.prescriptions.find((each) => each.product === wanted.product && isFree(each))
}

/** Medicine is never had for cash; on prescription it is had one pack at a time, with a prescription. */
function canBeHad(machine: Machine, slots: readonly Slot[], { method }: Wish): boolean {
  // Cash is taken without asking anybody, and nobody but the server knows whether a batch may be sold.
  if (method === 'cash' && slots.some(({ isMedicine }) => isMedicine)) return false
  const count = onPaper(machine, slots).length
  return count === 0 || (count === 1 && method !== 'cash' && paperFor(machine, slots) !== undefined)
}

async function sellByReader(machine: Machine, slots: Slot[], { method, isPlay }: Wish): Promise<SaleOutcome> {
  const { settings, wheel } = machine.world
  const { boot } = machine
  const paper = paperFor(machine, slots)
  // One pack a day is had on it; a refused one is tried again tomorrow too.
  if (paper) paper.freeFromMs = steadyMs(machine) + DAY_MS
  const request = {
    method,
    items: slots.map(({ code }) => ({ slot: code })),
    ...(paper ? { prescription: paper.code } : {}),
    ...(isPlay ? { isPlay } : {}),
  }
  const { orderNo, asked } = isPlay ? await askNow(machine, request) : await askWithVoucher(machine, request)
  const { answer, next } = wantsDocument(asked.answer)
    ? await ask(machine, { ...request, orderNo, person: document(machine) })
    : asked
  if (machine.boot !== boot) return 'interrupted'
  if (!answer || 'drawn' in answer) return 'noAnswer'
  if ('refused' in answer) {
    // A machine that the server holds for stopped missed its command; else it is these slots.
    const closed = answer.refused === 'machineStopped' ? machine.slots : slots
    // A play that is not open closes no slot: the goods are still for sale.
    if (answer.refused === 'playNotOpen') return 'refused'
    for (const slot of closed) slot.closedUntilMs = steadyMs(machine) + CLOSED_AFTER_REFUSAL_MS
    return 'refused'
  }
  if (answer.isOffered) return sellByScan(machine, orderNo, answer.payUrl ? answer : ((await next)?.answer ?? null))
  await wheel.pause(between(machine.random, settings.payMs))
  if (machine.boot !== boot) return 'interrupted'
  // Without a link the reader cannot ask the customer's bank either.
  if (!machine.isUp || chance(machine.random, settings.abandonShare)) return 'abandoned'
  // Listening starts before the payment is told: the ship command may be quicker than our own disk.
  const shipped = awaitShip(machine, orderNo)
  const payment = { orderNo, method, amountFen: answer.amountFen, channelNo: channelNo(machine), basis: 'reader' }
  await record(machine, [compose(machine, 'pay.result', payment)])
  return shipped
}

type Request = Omit<MessageData<'order.request'>, 'orderNo'>

async function askNow(machine: Machine, request: Request): Promise<{ orderNo: string; asked: Asked }> {
  const orderNo = newOrderNo(machine)
  return { orderNo, asked: await ask(machine, { ...request, orderNo }) }
}

/** One who carries a coupon shows it; where it gives nothing the customer buys without, as another order. */
async function askWithVoucher(machine: Machine, request: Request): Promise<{ orderNo: string; asked: Asked }> {
  const now = steadyMs(machine)
  const voucher = machine.vouchers.find(({ freeFromMs }) => freeFromMs <= now)
  if (!voucher || !chance(machine.random, VOUCHER_SHARE)) return askNow(machine, request)
  const first = await askNow(machine, { ...request, voucher: voucher.code })
  const { answer } = first.asked
  const isRefused = answer !== null && 'refused' in answer && answer.refused.startsWith('voucher')
  // What saves nothing on this choice is good for another.
  const isKept = isRefused && answer.refused === 'voucherNoEffect'
  voucher.freeFromMs = isKept ? now + DAY_MS / 24 : Number.POSITIVE_INFINITY
  return isRefused ? askNow(machine, request) : first
}
/** Of those who carry one, so many think of it. */
const VOUCHER_SHARE = 0.3

/** What is limited by person is asked for again, with the document that the customer was made to show. */
const wantsDocument = (answer: OrderAnswer | null): boolean =>
  answer !== null && 'refused' in answer && answer.refused === 'personMissing'

/** Of one of a few regulars, so that some come for more than they may have. */
const document = ({ random }: Machine) => ({
  idNumber: `SIM-${String(Math.floor(random() * 400)).padStart(6, '0')}`,
  age: 16 + Math.floor(random() * 60),
})

/**
 * A channel takes the money: the machine shows what is to be scanned as soon as an answer brings it, and learns of the
 * payment by the ship command alone.
 */
async function sellByScan(machine: Machine, orderNo: string, answer: OrderAnswer | null): Promise<SaleOutcome> {
  const { settings, wheel, pay } = machine.world
  const { boot } = machine
  if (answer && 'refused' in answer) return 'refused'
  const payUrl = answer && 'payUrl' in answer ? answer.payUrl : undefined
  if (payUrl === undefined) return 'noAnswer'
  await wheel.pause(between(machine.random, settings.payMs))
  if (machine.boot !== boot) return 'interrupted'
  if (chance(machine.random, settings.abandonShare)) return 'abandoned'
  const shipped = awaitShip(machine, orderNo)
  // A few find their wallet when the machine has already given them up.
  const lateMs = chance(machine.random, settings.payLateShare) ? between(machine.random, settings.payLateMs) : 0
  wheel.after(lateMs, () => {
    void pay(payUrl).then((isPaid) => {
      if (!isPaid && machine.awaited?.orderNo === orderNo) machine.awaited.end('abandoned')
    })
  })
  return shipped
}

async function sellForCash(machine: Machine, slots: Slot[]): Promise<SaleOutcome> {
  const orderNo = newOrderNo(machine)
  const paidFen = slots.reduce((sum, slot) => sum + slot.priceFen!, 0)
  const items: MessageData<'sale'>['items'] = []
  await whenMotorIsFree(machine, async () => {
    for (const slot of slots) {
      const isLeft = !items.every((before) => goesOn(machine, before))
      const { durationMs: _, attempts: __, ...turned } = isLeft ? LEFT : await turn(machine, slot)
      items.push({ slot: slot.code, product: slot.product!, priceFen: slot.priceFen!, ...turned })
      if (turned.ok) slot.soldCashFen += slot.priceFen!
      if (slot.fault) reportFault(machine, slot)
    }
    const notes = Object.assign({}, ...slots.map(stockNote))
    await record(machine, [compose(machine, 'sale', { orderNo, method: 'cash', paidFen, items })], notes)
  })
  return items.every((item) => item.ok) ? 'sold' : 'failed'
}

/** As a payment channel would number it. */
const channelNo = (machine: Machine): string =>
  `${wallMs(machine)}${Math.floor(machine.random() * 1e9)
    .toString()
    .padStart(9, '0')}`
