import {
  type ItemState,
  type PaymentState,
  paymentState,
  type ShipState,
  shipState,
} from '@aisle/contract/trade/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOrder } from '@aisle/contract/trade/order'
import type { EntryRow } from '../../ledger/public'
import type { Act } from './order.acts.reads'
import type { DetailItem } from './order.detail'

export type Story = {
  paidAt: Date | null
  shipSentAt: Date | null
  shipReceivedAt: Date | null
  finishedAt: Date | null
  occurredAt: Date
  receivedAt: Date
  isOffline: boolean
  method: string
  thirdPartyNo: string | null
  paymentState: PaymentState
  shipState: ShipState
}

const itemKinds: Partial<Record<ItemState, Act['kind']>> = {
  dispensed: 'itemDispensed',
  jammed: 'itemJammed',
  failed: 'itemFailed',
}

/**
 * An order's story, told from its own facts and their times; nothing in it is written down a second time.
 * @param acts what people and rules did about it afterwards
 */
export function timelineOf(
  order: Story,
  items: readonly DetailItem[],
  { entries, acts }: { entries: readonly EntryRow[]; acts: readonly Act[] },
): OutputOf<typeof getOrder>['timeline'] {
  // A sale the machine settled itself has no payment step of its own: it arrives finished.
  const settledByMachine = order.shipSentAt === null && order.thirdPartyNo === null && order.paidAt !== null
  const events: Act[] = [{ at: order.occurredAt, kind: settledByMachine ? 'sold' : 'requested', detail: {} }]
  if (order.isOffline) events.push({ at: order.receivedAt, kind: 'received', detail: {} })
  if (order.paidAt && !settledByMachine) {
    events.push({ at: order.paidAt, kind: 'paid', detail: { method: order.method, number: order.thirdPartyNo ?? '' } })
  }
  for (const [transferId, at] of new Map(entries.map((entry) => [entry.transferId, entry.postedAt]))) {
    events.push({ at, kind: 'posted', detail: { transfer: String(transferId) } })
  }
  if (order.shipSentAt) events.push({ at: order.shipSentAt, kind: 'shipSent', detail: {} })
  if (order.shipReceivedAt) events.push({ at: order.shipReceivedAt, kind: 'shipReceived', detail: {} })
  for (const item of items) events.push(...itemEvent(item))
  if (shipState.is(order.shipState, 'timeout') && order.finishedAt)
    events.push({ at: order.finishedAt, kind: 'noAnswer', detail: {} })
  if (paymentState.is(order.paymentState, 'closed') && order.finishedAt)
    events.push({ at: order.finishedAt, kind: 'closed', detail: {} })
  return [...events, ...acts]
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((event) => ({ ...event, at: event.at.toISOString() }))
}

function itemEvent(item: DetailItem): Act[] {
  const kind = itemKinds[item.state]
  if (!item.shippedAt || !kind) return []
  const detail = {
    product: item.productName,
    slot: item.slotCode,
    motor: item.motorCode ?? '',
    sensor: item.sensorCode ?? '',
  }
  return [{ at: item.shippedAt, kind, detail }]
}
