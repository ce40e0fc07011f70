import type { Answer, MessageRefusal } from '@aisle/contract/device/messages'
import { type Asked, ask, awaitShip, newOrderNo, question } from '../link/asking'
import { isSellable } from './motor'
import type { Wish } from './sale'
import { type Held, type Machine, type SaleOutcome, type Slot, steadyMs } from '../world'

const HOUR_MS = 3_600_000
/** Refusals after which a customer never tries that code or card again. */
const hopeless: readonly MessageRefusal[] = ['codeUnknown', 'codeExpired', 'codeInvalid', 'cardUnknown']

/** What customers of this machine hold and may try now. */
export const heldNow = (machine: Machine, method: 'pickup_code' | 'member_card'): Held | undefined =>
  (method === 'pickup_code' ? machine.codes : machine.cards).find(({ freeFromMs }) => freeFromMs <= steadyMs(machine))

/**
 * A customer types in a pick-up code: the machine asks what it gives, hands out what it has of that, and the rest is
 * fetched elsewhere.
 */
export async function sellByCode(machine: Machine): Promise<SaleOutcome> {
  const held = heldNow(machine, 'pickup_code')
  if (!held) return 'impossible'
  const { boot } = machine
  putAside(machine, held, HOUR_MS)
  const answer = await question(machine, 'pickup.check', { code: held.code })
  if (machine.boot !== boot) return 'interrupted'
  if (!answer) return 'noAnswer'
  if ('refused' in answer) return refuse(machine, held, answer.refused)
  const slots = slotsFor(machine, contentOf(answer))
  if (slots.length === 0) return 'impossible'
  return payWith(machine, held, { slots, method: 'pickup_code' })
}

/** A customer holds a card to the reader, and takes what was chosen if the card may pay that much. */
export async function sellByCard(machine: Machine, wish: Wish): Promise<SaleOutcome> {
  const held = heldNow(machine, 'member_card')
  if (!held) return 'impossible'
  const { boot } = machine
  putAside(machine, held, HOUR_MS)
  const answer = await question(machine, 'card.check', { code: held.code })
  if (machine.boot !== boot) return 'interrupted'
  if (!answer) return 'noAnswer'
  if ('refused' in answer) return refuse(machine, held, answer.refused)
  const priceFen = wish.slots.reduce(
    (sum, code) => sum + (machine.slots.find((slot) => slot.code === code)?.priceFen ?? 0),
    0,
  )
  if (mostOf(answer) < priceFen) return 'abandoned'
  return payWith(machine, held, wish)
}

/** The code or card pays with the request: the ship command may be as quick as the answer. */
async function payWith(machine: Machine, held: Held, { slots, method }: Wish): Promise<SaleOutcome> {
  const { boot } = machine
  const orderNo = newOrderNo(machine)
  const shipped = awaitShip(machine, orderNo)
  const items = slots.map((slot) => ({ slot }))
  const { answer }: Asked = await ask(machine, { orderNo, method, code: held.code, items })
  if (machine.boot !== boot) return 'interrupted'
  if (!answer) return shipped
  if ('refused' in answer && machine.awaited?.orderNo === orderNo) {
    machine.awaited.end(refuse(machine, held, answer.refused))
  }
  return shipped
}

/** Nobody stands at the same machine with the same card all day long. */
function putAside(machine: Machine, held: Held, forMs: number): void {
  held.freeFromMs = steadyMs(machine) + forMs * (0.25 + machine.random())
}

function refuse(machine: Machine, held: Held, reason: MessageRefusal): SaleOutcome {
  if (hopeless.includes(reason)) held.freeFromMs = Number.POSITIVE_INFINITY
  // Used up, over the limit, empty, or taken elsewhere for the moment: another day.
  else putAside(machine, held, 6 * HOUR_MS)
  return 'refused'
}

const contentOf = (answer: Answer) => ('content' in answer ? answer.content : [])
const mostOf = (answer: Answer) => ('mostFen' in answer ? answer.mostFen : 0)

/** Slots that hold what the code gives, one named for each piece that is there. */
function slotsFor(machine: Machine, content: readonly { product: string; pieces: number }[]): string[] {
  return content.flatMap(({ product, pieces }) => {
    const holding = machine.slots.filter((slot) => slot.product === product && isSellable(machine, slot))
    return holding.flatMap((slot: Slot) => Array.from({ length: slot.stock }, () => slot.code)).slice(0, pieces)
  })
}
