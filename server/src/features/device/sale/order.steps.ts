import type { OrderAnswer } from '@aisle/contract/device/messages'
import { must } from '../../../kernel/must'
import { openDue } from '../../refund/public'
import {
  type Drawn,
  holdBackStopped,
  type Quote,
  requestOrders,
  takePayments,
  takeReceipts,
  takeSales,
  takeTraced,
  takeVendResults,
} from '../../trade/public'
import { assign, type Batch, type Heard, heardOf, type Reply, type Step } from '../link/batch'
import { sendShipments } from './shipment.commands'

export const takeReportedSales: Step = async (tx, batch, books) => {
  const sales = heardOf(batch, 'sale')
  const { outcomes, short, wrong, traced } = await takeSales(tx, books, sales)
  assign(sales, outcomes)
  batch.ended.push(...short)
  batch.wrong.push(...wrong)
  batch.traced.push(...traced)
}

export const takeOrderRequests: Step = async (tx, batch, books) => {
  const asked = heardOf(batch, 'order.request')
  const isGuessing = ({ work }: Heard<'order.request'>) => batch.guessing.has(work)
  const { quoted, ...paid } = await requestOrders(
    tx,
    books,
    asked.filter((each) => !isGuessing(each)),
    batch.keys,
  )
  const blocked = asked.filter(isGuessing).map((each) => replyTo(each, { refused: 'prescriptionsBlocked' }))
  batch.replies.push(...blocked, ...quoted.map(({ request, quote }) => replyTo(request, quote)))
  takePaid(batch, asked, paid)
}

export const takeReaderPayments: Step = async (tx, batch, books) => {
  const payments = heardOf(batch, 'pay.result')
  const { outcomes, ...paid } = await takePayments(tx, books, payments, batch.keys)
  assign(payments, outcomes)
  takePaid(batch, payments, paid)
}

type Causes = readonly (Heard<'order.request'> | Heard<'pay.result'>)[]

/** Of orders that one of these messages has paid. */
function takePaid(batch: Batch, causes: Causes, { toShip, drawn }: Pick<Batch, 'toShip'> & { drawn: Drawn[] }): void {
  batch.toShip.push(...toShip)
  batch.replies.push(...drawn.map((each) => drawnReply(each, causes)))
}

export const sendPaid: Step = async (tx, batch) => {
  const { toShip, ended } = await holdBackStopped(tx, batch.toShip, batch.now)
  batch.ended.push(...ended)
  batch.dispatches.push(...(await sendShipments(tx, toShip, batch.now)))
}

export const takeShipReceipts: Step = async (tx, batch) => {
  const receipts = heardOf(batch, 'vend.received')
  assign(receipts, await takeReceipts(tx, receipts))
}

export const takeShipResults: Step = async (tx, batch, books) => {
  const results = heardOf(batch, 'vend.result')
  const { outcomes, ended, wrong, traced } = await takeVendResults(tx, books, results)
  assign(results, outcomes)
  batch.ended.push(...ended)
  batch.wrong.push(...wrong)
  batch.traced.push(...traced)
}

export const takeTraceCodes: Step = async (tx, batch) => {
  batch.wrong.push(...(await takeTraced(tx, batch.loads, batch.traced)))
}

export const openDueRefunds: Step = (tx, { ended, now }) => openDue(tx, ended, now)

type Request = Pick<Heard<'order.request'>, 'machine' | 'msgId' | 'data'>

function replyTo({ machine, msgId, data: { orderNo } }: Request, quote: Quote): Reply {
  const about = { msgId, orderNo }
  if ('refused' in quote) return { machineCode: machine.code, answer: { ...about, refused: quote.refused } }
  const { expiresAt, isPaid, ...told } = quote
  const answer = { ...about, ...told, expiresAt: expiresAt.toISOString(), ...(isPaid ? { isPaid } : {}) }
  return { machineCode: machine.code, answer: answer satisfies OrderAnswer }
}

/** What a play came to, for its machine to show, under the id of the message that paid it. */
function drawnReply(
  { machine, machineOrderNo, result, number, oddsPermille, prizeCode }: Drawn,
  causes: Causes,
): Reply {
  const cause = causes.findLast((each) => each.machine.id === machine.id && each.data.orderNo === machineOrderNo)
  const about = { msgId: must(cause, 'message that paid').msgId, orderNo: machineOrderNo }
  return {
    machineCode: machine.code,
    answer: { ...about, drawn: result, number, oddsPermille, ...(prizeCode && { prizeCode }) },
  }
}
