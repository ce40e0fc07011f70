import type { Answer, MessageData, OrderAnswer } from '@aisle/contract/device/messages'
import { isoAt } from '../machine/clock'
import { say } from './delivery'
import { type Machine, type SaleOutcome, wallMs } from '../world'

const GIVEN_UP_KEPT = 16

/** `next`: where a channel takes the money, the answer that brings what is to be scanned. */
export type Asked = { answer: OrderAnswer | null; next: Promise<Asked> | null }

/** One question at a time; null when no answer came in time or the link went away. */
export function ask(machine: Machine, data: MessageData<'order.request'>): Promise<Asked> {
  const request = say(machine, 'order.request', data)
  if (!request) return Promise.resolve({ answer: null, next: null })
  return nextAnswer(machine, request.msgId, machine.world.settings.answerMs)
}

/** What a code gives, or what a card may pay; null when no answer came in time or the link went away. */
export function question<T extends 'pickup.check' | 'card.check'>(
  machine: Machine,
  type: T,
  data: MessageData<T>,
): Promise<Answer | null> {
  const asked = say<'pickup.check' | 'card.check'>(machine, type, data)
  if (!asked) return Promise.resolve(null)
  const { wheel, settings } = machine.world
  return new Promise((resolve) => {
    const take = (answer: Answer | null) => {
      machine.question = null
      wheel.cancel(patience)
      resolve(answer)
    }
    const patience = wheel.after(settings.answerMs, () => take(null))
    machine.question = { msgId: asked.msgId, answer: take }
  })
}

function nextAnswer(machine: Machine, msgId: string, patienceMs: number): Promise<Asked> {
  const { wheel, settings } = machine.world
  return new Promise((resolve) => {
    const take = (said: Answer | null) => {
      machine.question = null
      wheel.cancel(patience)
      const answer = said !== null && 'orderNo' in said ? (said as OrderAnswer) : null
      const isToCome = answer !== null && 'amountFen' in answer && answer.isOffered === true && !answer.payUrl
      // Waited for from this moment: it may stand in the same packet.
      resolve({ answer, next: isToCome ? nextAnswer(machine, msgId, settings.offerMs) : null })
    }
    const patience = wheel.after(patienceMs, () => take(null))
    machine.question = { msgId, answer: take }
  })
}

/** Answers that nobody waits for any more are let go: the server closes an unpaid order by itself. */
export function takeAnswer(machine: Machine, answer: Answer): void {
  // Drawn and lost: the screen says so, and nobody waits for goods.
  if ('drawn' in answer) {
    if (answer.drawn === 'lost' && machine.awaited?.orderNo === answer.orderNo) machine.awaited.end('notWon')
    return
  }
  if (machine.question?.msgId === answer.msgId) machine.question.answer(answer)
}

export function awaitShip(machine: Machine, orderNo: string): Promise<SaleOutcome> {
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

/** The machine's own number, unique for it for ever: date and time where it stands, the run of its program, a count. */
export function newOrderNo(machine: Machine): string {
  machine.orderCount += 1
  const time = isoAt(wallMs(machine), machine.timeZone).replace(/\D/g, '').slice(2, 14)
  return `${time}-${machine.boot.id.slice(-6)}-${machine.orderCount}`
}
