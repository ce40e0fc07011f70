import type { MessageData } from '@aisle/contract/device/messages'
import { itemState, NO_ANSWER_AFTER_MS, orderState, paymentState, shipState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'
import { type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { answers } from '../../../kernel/must'
import type { Books } from './books'
import { finishOf, isSecond, itemOutcome } from '../order/order.rules'
import { type Finished, findItems, type ItemResult, lockByNumbers, markFinished, markItems } from '../order/order.store'
import { vendMove } from './sale.commands'
import { codesOf, flagSeconds, keepSeconds, type Said } from './second.store'
import { settleHolds } from './tender'
import {
  handedOutOf,
  type ItemRow,
  type OrderRow,
  orderNoOf,
  type Outcome,
  type Outcomes,
  type Reported,
  refused,
  taken,
} from '../trade.types'
import { type TracedPiece, tracedOf } from './traced.commands'
import type { WrongPiece } from './wrongSale.rules'
import { flagStopped } from './wrongVend'
import { statesFrom, stateTo } from '../../../kernel/states'

export type ReportedVend = Reported<MessageData<'vend.result'>>

const verbs = { dispensed: 'dispense', jammed: 'jam', failed: 'fail' } as const

/**
 * Item by item, what the machine handed out. Stock falls in the same transaction; a result that comes again changes
 * nothing; one that comes after the timeout is recorded and flagged; one of an item that was handed over from afar
 * meanwhile is a second piece, whose stock and loss are booked and at which somebody looks. @returns an outcome for
 * each, the ids of the orders that ended or changed after their end, the pieces that should not have been sold, and
 * those that came out with a code of their own
 */
export async function takeVendResults(
  tx: Tx,
  books: Books,
  results: readonly ReportedVend[],
): Promise<{ outcomes: Outcomes<ReportedVend>; ended: number[]; wrong: WrongPiece[]; traced: TracedPiece[] }> {
  if (results.length === 0) return { outcomes: new Map(), ended: [], wrong: [], traced: [] }
  const orders = await lockByNumbers(
    tx,
    results.map((each) => orderNoOf(each.machine.code, each.data.orderNo)),
  )
  const items = await findItems(tx, [...orders.values()])
  const fresh: Said[] = []
  const again: Said[] = []
  const outcomes = answers(results, (result): Outcome => {
    const order = orders.get(orderNoOf(result.machine.code, result.data.orderNo))
    if (!order) return refused('unknownOrder')
    const item = (items.get(order.id) ?? []).find((each) => each.index === result.data.index)
    if (!item || item.slot_code !== result.data.slot) return refused('itemUnknown')
    if (paymentState.is(order.payment_state, 'notPaid')) return refused('orderState')
    const state = itemOutcome(result.data)
    if (isSecond(item, state)) again.push({ result, order, item })
    if (item.state === state) return taken
    if (!itemState.can(item.state, verbs[state])) return refused('orderState')
    item.state = state
    item.batch = result.data.batch ?? null
    item.trace_code = result.data.traceCode ?? null
    fresh.push({ result, order, item })
    return taken
  })
  await markItems(tx, fresh.map(itemResult))
  const seconds = await keepSeconds(tx, again)
  await recordMoves(tx, [...(await movesOf(tx, fresh, 'item')), ...(await movesOf(tx, seconds, 'second'))])
  const finished = finishedOf(fresh, items)
  await markFinished(tx, finished)
  await settleHolds(
    tx,
    finished.map(({ order, finishedAt: at }) => ({ order, items: items.get(order.id) ?? [], at })),
  )
  const out = fresh.filter(({ item }) => itemState.is(item.state, 'dispensed'))
  books.handedOut(out.map(({ order, item }) => handedOutOf(order, item)))
  await flagSeconds(
    tx,
    seconds.map(({ order }) => order),
  )
  const wrong = await flagStopped(tx, fresh)
  const traced = [...tracedOf(fresh, false), ...tracedOf(seconds, true)]
  return { outcomes, ended: [...finished, ...seconds].map(({ order }) => order.id), wrong, traced }
}

const itemResult = ({ result, order, item }: Said): ItemResult => ({
  merchantId: order.merchant_id,
  occurredAt: order.occurred_at,
  id: order.id,
  index: item.index,
  state: item.state,
  ...codesOf({ result, order, item }),
  shippedAt: result.occurredAt,
  durationMs: result.data.durationMs ?? null,
  attempts: result.data.attempts ?? null,
})

async function movesOf(tx: Tx, fresh: readonly Said[], which: 'item' | 'second'): Promise<Move[]> {
  const out = fresh.filter(({ item }) => itemState.is(item.state, 'dispensed'))
  if (out.length === 0) return []
  const customers = await outsidePlaces(
    tx,
    'customer',
    out.map(({ result }) => result.machine.merchantId),
  )
  return out.map(({ result, order, item }) => {
    const move = vendMove(
      { machine: result.machine, occurredAt: result.occurredAt, orderId: order.id },
      { index: item.index, placeId: item.place_id, productId: item.product_id },
      customers,
      result.data.batch,
    )
    return which === 'item' ? move : { ...move, reference: `${move.reference}/second` }
  })
}

function finishedOf(fresh: readonly Said[], items: Map<number, ItemRow[]>): (Finished & { order: OrderRow })[] {
  const last = new Map(fresh.map((each) => [each.order.id, each]))
  return [...last.values()].flatMap(({ result, order }) => {
    const finish = finishOf(
      order,
      (items.get(order.id) ?? []).map((item) => item.state),
    )
    if (!finish) return []
    const key = { merchantId: order.merchant_id, occurredAt: order.occurred_at, id: order.id }
    return [{ order, ...key, ...finish, finishedAt: result.occurredAt }]
  })
}

/**
 * Five minutes without an answer (specification §9): paid orders time out and wait for their refund, unpaid ones close.
 * Counted from what was heard here: by its own clock a machine could be late before it has the order to ship.
 * @returns the machines whose orders changed, and the ids of those that timed out
 */
export async function sweepWaiting(tx: Tx, now: Date): Promise<{ machineIds: number[]; timedOut: number[] }> {
  const limit = new Date(now.getTime() - NO_ANSWER_AFTER_MS)
  const timedOut = await sql<Swept>`
    with late as (
      update orders set ship_state = ${stateTo(shipState, 'timeOut')}, order_state = ${stateTo(orderState, 'finish')},
        problem = 'no_answer', finished_at = ${now}
      where order_state = 'open' and payment_state = 'paid' and ship_state in ${statesFrom(shipState, 'timeOut')}
        and coalesce(ship_sent_at, paid_at) < ${limit}
      returning merchant_id, occurred_at, id, machine_id, order_no
    ), unanswered as (
      update order_item i set state = ${stateTo(itemState, 'giveUp')} from late
      where i.merchant_id = late.merchant_id and i.occurred_at = late.occurred_at and i.order_id = late.id
        and i.state in ${statesFrom(itemState, 'giveUp')}
    ) select id, machine_id, order_no from late`.execute(tx)
  const closed = await sql<Swept>`
    update orders set payment_state = ${stateTo(paymentState, 'close')},
      ship_state = ${stateTo(shipState, 'invalidate')}, order_state = ${stateTo(orderState, 'close')},
      finished_at = ${now}
    where order_state = 'open' and payment_state = 'unpaid' and received_at < ${limit}
    returning id, machine_id, order_no`.execute(tx)
  const swept = [...timedOut.rows, ...closed.rows]
  if (swept.length === 0) return { machineIds: [], timedOut: [] }
  const orders = await lockByNumbers(
    tx,
    swept.map((row) => row.order_no),
  )
  const items = await findItems(tx, [...orders.values()])
  await settleHolds(
    tx,
    [...orders.values()].map((order) => ({ order, items: items.get(order.id) ?? [], at: now })),
  )
  return {
    machineIds: [...new Set(swept.map((row) => row.machine_id))],
    timedOut: timedOut.rows.map((row) => row.id),
  }
}

type Swept = { id: number; machine_id: number; order_no: string }
