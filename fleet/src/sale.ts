import type { MessageData, OrderAnswer } from '@aisle/contract/device/messages'
import type { PaymentMethod } from '@aisle/contract/trade/states'
import { compose, record, say } from './delivery'
import { isSellable, stockNote, turn, whenMotorIsFree } from './motor'
import { between, chance } from './random'
import { reportFault } from './reports'
import { type Machine, type SaleOutcome, type Slot, steadyMs, wallMs } from './world'

/** A customer's wish: one piece of each slot named, a slot may be named twice. */
export type Wish = { slots: string[]; method: PaymentMethod }

const CLOSED_AFTER_REFUSAL_MS = 10 * 60_000
const GIVEN_UP_KEPT = 16

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
  const { boot } = machine
  machine.isBusy = true
  const outcome = await (wish.method === 'cash'
    ? sellForCash(machine, slots)
    : sellByReader(machine, slots, wish.method))
  if (machine.boot === boot) machine.isBusy = false
  machine.world.count(outcome)
  return outcome
}

async function sellByReader(machine: Machine, slots: Slot[], method: PaymentMethod): Promise<SaleOutcome> {
  const { settings, wheel } = machine.world
  const { boot } = machine
  const orderNo = newOrderNo(machine)
  const answer = await ask(machine, { orderNo, method, items: slots.map(({ code }) => ({ slot: code })) })
  if (machine.boot !== boot) return 'interrupted'
  if (!answer) return 'noAnswer'
  if ('refused' in answer) {
    // A machine that the server holds for stopped missed its command; else it is these slots.
    const closed = answer.refused === 'machineStopped' ? machine.slots : slots
    for (const slot of closed) slot.closedUntilMs = steadyMs(machine) + CLOSED_AFTER_REFUSAL_MS
    return 'refused'
  }
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

async function sellForCash(machine: Machine, slots: Slot[]): Promise<SaleOutcome> {
  const orderNo = newOrderNo(machine)
  const paidFen = slots.reduce((sum, slot) => sum + slot.priceFen!, 0)
  const items: MessageData<'sale'>['items'] = []
  await whenMotorIsFree(machine, async () => {
    for (const slot of slots) {
      const { ok, motorCode, sensorCode } = await turn(machine, slot)
      items.push({ slot: slot.code, product: slot.product!, priceFen: slot.priceFen!, ok, motorCode, sensorCode })
      if (ok) slot.soldCashFen += slot.priceFen!
      if (slot.fault) reportFault(machine, slot)
    }
    const notes = Object.assign({}, ...slots.map(stockNote))
    await record(machine, [compose(machine, 'sale', { orderNo, method: 'cash', paidFen, items })], notes)
  })
  return items.every((item) => item.ok) ? 'sold' : 'failed'
}

/** One question at a time; null when no answer came in time or the link went away. */
function ask(machine: Machine, data: MessageData<'order.request'>): Promise<OrderAnswer | null> {
  const { wheel, settings } = machine.world
  const request = say(machine, 'order.request', data)
  if (!request) return Promise.resolve(null)
  return new Promise((resolve) => {
    const answer = (given: OrderAnswer | null) => {
      machine.question = null
      wheel.cancel(patience)
      resolve(given)
    }
    const patience = wheel.after(settings.answerMs, () => answer(null))
    machine.question = { msgId: request.msgId, answer }
  })
}

/** Answers that nobody waits for any more are let go: the server closes an unpaid order by itself. */
export function takeAnswer(machine: Machine, answer: OrderAnswer): void {
  if (machine.question?.msgId === answer.msgId) machine.question.answer(answer)
}

function awaitShip(machine: Machine, orderNo: string): Promise<SaleOutcome> {
  const { wheel, settings } = machine.world
  return new Promise((resolve) => {
    const end = (outcome: SaleOutcome) => {
      machine.awaited = null
      wheel.cancel(patience)
      resolve(outcome)
    }
    const patience = wheel.after(settings.shipMs, () => {
      machine.givenUp.push(orderNo)
      if (machine.givenUp.length > GIVEN_UP_KEPT) machine.givenUp.shift()
      end('notShipped')
    })
    machine.awaited = { orderNo, end, patience }
  })
}

/** The machine's own number, unique for it for ever: its time, the run of its program, and a count. */
function newOrderNo(machine: Machine): string {
  machine.orderCount += 1
  const time = new Date(wallMs(machine)).toISOString().replace(/\D/g, '').slice(2, 14)
  return `${time}-${machine.boot.id.slice(-6)}-${machine.orderCount}`
}

/** As a payment channel would number it. */
const channelNo = (machine: Machine): string =>
  `${wallMs(machine)}${Math.floor(machine.random() * 1e9)
    .toString()
    .padStart(9, '0')}`
