import type { Command } from '@aisle/contract/device/commands'
import type { MessageData } from '@aisle/contract/device/messages'
import { compose, record } from '../link/delivery'
import { readShipOrder, type ShipOrder } from '../link/incoming'
import { goesOn, LEFT, stockNote, touched, turn, whenMotorIsFree } from './motor'
import { reportFault } from '../reports'
import { type Machine, slotOf, wallMs } from '../world'

type VendResult = MessageData<'vend.result'>

/**
 * What a machine remembers of an order that it was told to ship. Written before the motor turns, so that whatever
 * happens afterwards the motor never turns for it a second time.
 */
export type Shipped = {
  atMs: number
  cmdIds: string[]
  results: VendResult[]
  /** `interrupted`: the program ended while the motor turned; nobody knows what came out. */
  state: 'begun' | 'finished' | 'interrupted'
}

const PREFIX = 'order:'
const key = (orderNo: string) => `${PREFIX}${orderNo}`

export function ship(machine: Machine, command: Command): Promise<void> {
  const order = readShipOrder(command.data)
  if (!order) return answer(machine, command, 'refused', 'malformed')
  const shipped = machine.world.outbox.memory(machine.code).get(key(order.orderNo))
  if (shipped) return repeat(machine, command, order.orderNo, shipped as Shipped)
  if (isTooLate(machine, command, order.orderNo)) return answer(machine, command, 'refused', 'expired')
  if (order.items.some((item) => !slotOf(machine, item.slot))) return answer(machine, command, 'refused', 'unknownSlot')
  return begin(machine, command, order)
}

/**
 * A machine whose own customer waits knows by its steady clock how long; only for an order that it did not ask for
 * does it have to trust its wall clock against the server's `expiresAt`.
 */
function isTooLate(machine: Machine, command: Command, orderNo: string): boolean {
  if (machine.awaited?.orderNo === orderNo) return false
  return machine.givenUp.includes(orderNo) || Date.parse(command.expiresAt) < wallMs(machine)
}

async function begin(machine: Machine, command: Command, order: ShipOrder): Promise<void> {
  const { orderNo } = order
  const shipped: Shipped = { atMs: wallMs(machine), cmdIds: [command.cmdId], results: [], state: 'begun' }
  if (machine.awaited?.orderNo === orderNo) machine.world.wheel.cancel(machine.awaited.patience)
  const written = record(
    machine,
    [ack(machine, command.cmdId, 'received'), compose(machine, 'vend.received', { orderNo })],
    {
      [key(orderNo)]: shipped,
    },
  )
  await whenMotorIsFree(machine, async () => {
    await written
    if (machine.awaited?.orderNo === orderNo) await touched(machine)
    for (const item of order.items) await handOut(machine, order, item, shipped)
  })
  const isAllOut = shipped.results.every((result) => result.ok)
  if (machine.awaited?.orderNo === orderNo) machine.awaited.end(isAllOut ? 'sold' : 'failed')
}

async function handOut(
  machine: Machine,
  { orderNo, items }: ShipOrder,
  item: ShipOrder['items'][number],
  shipped: Shipped,
): Promise<void> {
  const slot = slotOf(machine, item.slot)!
  const isLeft = !shipped.results.every((before) => goesOn(machine, before))
  const result = { orderNo, index: item.index, slot: item.slot, ...(isLeft ? LEFT : await turn(machine, slot)) }
  shipped.results.push(result)
  const messages = [compose(machine, 'vend.result', result)]
  if (shipped.results.length === items.length) {
    shipped.state = 'finished'
    messages.push(...shipped.cmdIds.map((cmdId) => ack(machine, cmdId, 'done')))
  }
  if (slot.fault) reportFault(machine, slot)
  await record(machine, messages, { [key(orderNo)]: { ...shipped }, ...stockNote(slot) })
}

/** An order that the machine already has: it answers with what it wrote down and leaves the motor alone. */
async function repeat(machine: Machine, command: Command, orderNo: string, shipped: Shipped): Promise<void> {
  const isNew = !shipped.cmdIds.includes(command.cmdId)
  if (isNew) shipped.cmdIds.push(command.cmdId)
  const messages = isNew ? [ack(machine, command.cmdId, 'received')] : []
  // While the motor turns the answer to all who asked is on its way.
  if (shipped.state === 'finished') {
    if (isNew) messages.push(...shipped.results.map((result) => compose(machine, 'vend.result', result)))
    messages.push(ack(machine, command.cmdId, 'done'))
  }
  if (shipped.state === 'interrupted') messages.push(ack(machine, command.cmdId, 'failed', 'interrupted'))
  if (messages.length > 0) await record(machine, messages, { [key(orderNo)]: { ...shipped } })
}

/**
 * After a start: an order that was begun by an earlier run can't be finished, since nobody saw what fell. The machine
 * says so and reports no result for what it did not see; the server's five minutes decide. Old orders are forgotten.
 */
export async function closeInterrupted(machine: Machine): Promise<void> {
  const remember: Record<string, unknown> = outdated(machine, PREFIX, machine.world.settings.keepOrdersMs)
  const messages = []
  for (const [name, value] of machine.world.outbox.memory(machine.code)) {
    const shipped = value as Shipped
    if (!name.startsWith(PREFIX) || shipped.state !== 'begun') continue
    remember[name] = { ...shipped, state: 'interrupted' }
    messages.push(...shipped.cmdIds.map((cmdId) => ack(machine, cmdId, 'failed', 'interrupted')))
  }
  if (Object.keys(remember).length > 0) await record(machine, messages, remember)
}

/** What a machine may forget of the notes of one kind, in the shape in which a change forgets. */
export function outdated(machine: Machine, prefix: string, keepMs: number): Record<string, unknown> {
  const beforeMs = wallMs(machine) - keepMs
  const notes = [...machine.world.outbox.memory(machine.code)]
  const old = notes.filter(([name, value]) => name.startsWith(prefix) && (value as { atMs: number }).atMs < beforeMs)
  return Object.fromEntries(old.map(([name]) => [name, null]))
}

export const ack = (
  machine: Machine,
  cmdId: string,
  state: MessageData<'cmd.ack'>['state'],
  detail?: string,
  result?: Record<string, unknown>,
) => compose(machine, 'cmd.ack', { cmdId, state, ...(detail ? { detail } : {}), ...(result ? { result } : {}) })

const answer = (machine: Machine, { cmdId }: Command, state: 'refused', detail: string) =>
  record(machine, [ack(machine, cmdId, state, detail)])
