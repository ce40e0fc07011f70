import type { Ack, Answer, MessageData, MessageRefusal, OrderAnswer } from '@aisle/contract/device/messages'
import { announce } from '../../kernel/announce'
import type { AuthKeys, Services, Tx } from '../../kernel/context'
import {
  announceSales,
  bookPaid,
  findMachines,
  type HandedOut,
  type MachineRef,
  type Outcome,
  type PaidSale,
  type Quote,
  type Reported,
  refused,
  requestOrders,
  taken,
  takePayments,
  takeReceipts,
  takeSales,
  takeVendResults,
  type WrongPiece,
} from '../trade/public'
import { openDue } from '../refund/public'
import { takeFills } from '../stock/public'
import { drawnAnswer } from './drawn'
import { correctedTime } from './clock.rules'
import { answerCommands, type Dispatch } from './command.store'
import type { Incoming } from './decode'
import { settleEnded } from './ended'
import { countMessages } from './gap.store'
import { claim, findTaken, idOf, keepEvents, markRefused, noteRefusals } from './message.store'
import { answerPrescriptions, findGuessing, keyOf } from './prescription.answers'
import { isRecord, takeRecords } from './record.commands'
import { takeRemoteShips } from './remoteShip.results'
import { sendShipments } from './shipment.commands'
import { answerCards, answerCodes } from './tender.answers'
import { takeStates } from './states'
import { watch } from './watch'

export type Reply = { machineCode: string; ack?: Ack; answer?: Answer }
export type Ingested = { replies: Reply[]; dispatches: Dispatch[] }

/** A message of a known machine, with its corrected time; `outcome` is filled in as the batch is worked through. */
type Work = {
  machine: MachineRef
  message: Incoming
  occurredAt: Date
  skewMs: number
  outcome: Outcome | null
  ack: Ack | null
}

/**
 * The one way machines' messages become facts: a batch in one transaction, each step a few set-based statements.
 * Only after its commit may anything be acknowledged. A message that is refused changes nothing and is noted where an
 * administrator sees it; the rest of its batch is taken.
 */
export function ingest(services: Services, batch: readonly Incoming[]): Promise<Ingested> {
  return services.db.transaction().execute(async (tx) => {
    const machines = await findMachines(
      tx,
      batch.map((message) => message.machineCode),
    )
    const replies: Reply[] = []
    const work = batch.flatMap((message): Work[] => {
      const machine = machines.get(message.machineCode)
      // Signed in and deleted since: nobody to keep anything for.
      if (!machine) return []
      const time = correctedTime(message.envelope, message.receivedAt)
      const known = { machine, message, ack: null }
      if (time) return [{ ...known, occurredAt: time.at, skewMs: time.skewMs, outcome: null }]
      return [{ ...known, occurredAt: message.receivedAt, skewMs: 0, outcome: refused('clockImpossible') }]
    })
    await identify(tx, work)
    const { dispatches, paid, handedOut, wrong } = await takeFacts(tx, work, replies, services.keys)
    await takeStates(tx, work)
    await countMessages(tx, work.map(numbered), batch[0]?.receivedAt ?? services.clock.now())
    await watch(
      tx,
      work.filter(({ outcome, ack }) => ack === null && outcome?.ok !== false),
      wrong,
    )
    await settle(tx, work, replies)
    await book(tx, work, paid, handedOut)
    return { replies, dispatches }
  })
}

const numbered = ({ machine, message: { envelope, class: kind } }: Work) => ({
  machineId: machine.id,
  bootId: envelope.bootId,
  seq: envelope.seq,
  isLive: kind !== 'critical',
})

/** Same id and same content: answered again. Same id and other content: a conflict for a person to see. */
async function identify(tx: Tx, work: readonly Work[]): Promise<void> {
  const critical = work.filter((each) => each.message.class === 'critical')
  const first = new Map<string, Work>()
  for (const each of critical) {
    const id = idOf(each.machine.id, each.message.envelope.msgId)
    const twin = first.get(id)
    if (twin) each.ack = ackOfTwin(each, twin.message.hash)
    if (!twin) first.set(id, each)
  }
  const named = [...first.values()].map((each) => ({ machineId: each.machine.id, message: each.message }))
  const claimed = await claim(tx, named)
  const known = await findTaken(
    tx,
    named.filter((each) => !claimed.has(idOf(each.machineId, each.message.envelope.msgId))),
  )
  for (const [id, each] of first) {
    const before = known.get(id)
    if (!before) continue
    each.ack = before.content_hash.equals(each.message.hash)
      ? {
          msgId: before.msg_id,
          state: before.state === 'refused' ? 'refused' : 'duplicate',
          ...reasonOf(before.reason),
        }
      : conflict(each)
  }
}

const reasonOf = (reason: string | null) => (reason === null ? {} : { reason })
const conflict = (each: Work): Ack => ({
  msgId: each.message.envelope.msgId,
  state: 'conflict',
  reason: 'sameIdOtherContent',
})
const ackOfTwin = (each: Work, hash: Buffer): Ack =>
  hash.equals(each.message.hash) ? { msgId: each.message.envelope.msgId, state: 'duplicate' } : conflict(each)

/** What is still to be done, by type; an order's own messages are worked in the order in which they make sense. */
function reportsOf<T extends keyof Types>(
  work: readonly Work[],
  type: T,
): { work: Work; report: Reported<Types[T]> }[] {
  return work
    .filter((each) => each.message.type === type && each.outcome === null && each.ack === null)
    .map((each) => ({
      work: each,
      report: {
        machine: each.machine,
        occurredAt: each.occurredAt,
        receivedAt: each.message.receivedAt,
        isOffline: each.message.envelope.offline,
        data: each.message.data as Types[T],
      },
    }))
}
type Types = {
  [T in
    | 'sale'
    | 'order.request'
    | 'rx.check'
    | 'pickup.check'
    | 'card.check'
    | 'pay.result'
    | 'vend.received'
    | 'vend.result'
    | 'stock.delta']: MessageData<T>
}

const asksOf = <T extends 'rx.check' | 'pickup.check' | 'card.check' | 'order.request'>(
  work: readonly Work[],
  type: T,
) => reportsOf(work, type).map(({ work: { message }, report }) => ({ msgId: message.envelope.msgId, report }))

async function takeFacts(
  tx: Tx,
  work: readonly Work[],
  replies: Reply[],
  keys: AuthKeys,
): Promise<{ dispatches: Dispatch[]; paid: PaidSale[]; handedOut: HandedOut[]; wrong: WrongPiece[] }> {
  // First: machines that guess wait for themselves, and whoever waits here holds nothing that others wait for.
  replies.push(...(await answerCodes(tx, asksOf(work, 'pickup.check'), keys)))
  replies.push(...(await answerCards(tx, asksOf(work, 'card.check'))))
  const checks = asksOf(work, 'rx.check')
  const guessing = await findGuessing(tx, checks, asksOf(work, 'order.request'))
  const sales = reportsOf(work, 'sale')
  const sold = await takeSales(
    tx,
    sales.map((each) => each.report),
  )
  assign(sales, sold.outcomes)
  const isGuessing = ({ work: { machine, message } }: { work: Work }) =>
    guessing.has(keyOf(machine, message.envelope.msgId))
  const all = reportsOf(work, 'order.request')
  const requests = all.filter((each) => !isGuessing(each))
  for (const { work: each, report } of all.filter(isGuessing)) {
    const answer = answerOf(each.message, report.data.orderNo, { refused: 'prescriptionsBlocked' })
    replies.push({ machineCode: each.machine.code, answer })
  }
  const asked = await requestOrders(
    tx,
    requests.map(({ work: { message }, report }) => ({ ...report, msgId: message.envelope.msgId })),
    keys,
  )
  requests.forEach(({ work: { message, machine }, report }, i) => {
    const quote = asked.quotes[i]
    if (quote) replies.push({ machineCode: machine.code, answer: answerOf(message, report.data.orderNo, quote) })
  })
  replies.push(...(await answerPrescriptions(tx, checks, guessing)))
  const payments = reportsOf(work, 'pay.result')
  const received = await takePayments(
    tx,
    payments.map((each) => each.report),
    keys,
  )
  assign(payments, received.outcomes)
  replies.push(...[...asked.drawn, ...received.drawn].map((each) => drawnAnswer(each, [...requests, ...payments])))
  const dispatches = await sendShipments(tx, [...asked.toShip, ...received.toShip], work[0]?.message.receivedAt)
  const shipped = await takeRemoteShips(tx, reportsOf(work, 'vend.received'), reportsOf(work, 'vend.result'))
  const receipts = reportsOf(work, 'vend.received')
  assign(
    receipts,
    await takeReceipts(
      tx,
      receipts.map((each) => each.report),
    ),
  )
  const vends = reportsOf(work, 'vend.result')
  const vended = await takeVendResults(
    tx,
    vends.map((each) => each.report),
  )
  assign(vends, vended.outcomes)
  if (work[0]) await openDue(tx, [...sold.short, ...vended.ended], work[0].message.receivedAt)
  await takeAnswers(tx, work)
  await takeStock(tx, work)
  await takeEvents(tx, work)
  const handedOut = [...sold.handedOut, ...shipped, ...vended.handedOut]
  const paid = [...sold.paid, ...asked.paid, ...received.paid]
  return { dispatches, paid, handedOut, wrong: [...sold.wrong, ...vended.wrong] }
}

function answerOf(message: Incoming, orderNo: string, quote: Quote): OrderAnswer {
  const about = { msgId: message.envelope.msgId, orderNo }
  if ('refused' in quote) return { ...about, refused: quote.refused }
  const { expiresAt, isPaid, ...told } = quote
  return { ...about, ...told, expiresAt: expiresAt.toISOString(), ...(isPaid ? { isPaid } : {}) }
}

function assign(reports: readonly { work: Work }[], outcomes: readonly Outcome[]): void {
  reports.forEach(({ work }, i) => {
    work.outcome = outcomes[i] ?? null
  })
}

async function takeAnswers(tx: Tx, work: readonly Work[]): Promise<void> {
  const answers = work.filter((each) => each.message.type === 'cmd.ack' && each.outcome === null && each.ack === null)
  const { known, ended } = await answerCommands(
    tx,
    answers.map((each) => {
      const { detail = null, result, ...data } = each.message.data as MessageData<'cmd.ack'>
      return { machineId: each.machine.id, ...data, detail, result: jsonOf(result), at: each.occurredAt }
    }),
  )
  for (const each of answers) {
    const { cmdId } = each.message.data as MessageData<'cmd.ack'>
    each.outcome = known.has(cmdId) ? taken : refused('unknownCommand')
  }
  const [first] = answers
  if (!first) return
  await settleEnded(tx, ended, first.message.receivedAt)
  await announce(tx, { topic: 'answers', machineIds: [...new Set(answers.map((each) => each.machine.id))] })
}

const jsonOf = (result: Record<string, unknown> | undefined) => (result ? JSON.stringify(result) : null)

/** A fill is a stock move; what else a machine counts is kept until stock-taking reads it. */
async function takeStock(tx: Tx, work: readonly Work[]): Promise<void> {
  const isFill = (data: MessageData<'stock.delta'>) => data.cause === 'fill' && data.change > 0
  const fills = reportsOf(work, 'stock.delta').filter(({ report }) => isFill(report.data))
  const problems = await takeFills(
    tx,
    fills.map(({ work: { message }, report: { machine, data, occurredAt } }) => ({
      machineId: machine.id,
      merchantId: machine.merchantId,
      slot: data.slot,
      product: data.product,
      quantity: data.change,
      occurredAt,
      batch: data.batch ?? null,
      reference: `message/${machine.code}/${message.envelope.msgId}`,
    })),
  )
  assign(
    fills,
    problems.map((problem) => (problem ? refused(problem) : taken)),
  )
}

async function takeEvents(tx: Tx, work: readonly Work[]): Promise<void> {
  const left = work.filter((each) => each.message.class === 'critical' && each.outcome === null && each.ack === null)
  await takeRecords(tx, left.filter(isRecord))
  const events = left.filter((each) => !isRecord(each))
  await keepEvents(
    tx,
    events.map((each) => ({
      merchantId: each.machine.merchantId,
      machineId: each.machine.id,
      message: each.message,
      occurredAt: each.occurredAt,
    })),
  )
  for (const each of left) each.outcome = taken
}

/** Ledger and figures: last, because whoever holds the lock of the figures must not wait for another row. */
async function book(
  tx: Tx,
  work: readonly Work[],
  paid: readonly PaidSale[],
  handedOut: readonly HandedOut[],
): Promise<void> {
  const receivedAt = work[0]?.message.receivedAt
  if (!receivedAt) return
  await bookPaid(tx, paid, receivedAt, handedOut)
  await announceSales(tx, paid)
}

/** What each sender is told, and what an administrator will see. */
async function settle(tx: Tx, work: readonly Work[], replies: Reply[]): Promise<void> {
  const bad: { each: Work; reason: string }[] = []
  for (const each of work) {
    const { outcome, message, machine } = each
    const reason =
      each.ack?.state === 'conflict' ? 'sameIdOtherContent' : outcome && !outcome.ok ? outcome.reason : null
    if (reason) bad.push({ each, reason })
    if (message.class !== 'critical') continue
    const ack = each.ack ?? ackOf(message, outcome)
    replies.push({ machineCode: machine.code, ack })
  }
  const fresh = bad.filter(({ each }) => each.ack === null && each.message.class === 'critical')
  await markRefused(
    tx,
    fresh.map(({ each, reason }) => ({ machineId: each.machine.id, msgId: each.message.envelope.msgId, reason })),
  )
  await noteRefusals(
    tx,
    bad.map(({ each, reason }) => ({
      machineId: each.machine.id,
      machineCode: each.machine.code,
      reason,
      type: each.message.type,
      detail: JSON.stringify(each.message.envelope).slice(0, 2_000),
      at: each.message.receivedAt,
    })),
  )
  await announceMachines(tx, 'machines', work)
  await announceMachines(tx, 'orders', work.filter(isAboutOrder))
}

/** A sale is announced as such; these move an order that is already there, or open one. */
const orderTypes = new Set(['order.request', 'vend.received', 'vend.result'])
const isAboutOrder = ({ message, outcome, ack }: Work): boolean =>
  orderTypes.has(message.type) && ack === null && outcome?.ok !== false

async function announceMachines(tx: Tx, topic: 'machines' | 'orders', work: readonly Work[]): Promise<void> {
  const machineIds = [...new Set(work.map((each) => each.machine.id))]
  if (machineIds.length > 0) await announce(tx, { topic, machineIds })
}

function ackOf(message: Incoming, outcome: Outcome | null): Ack {
  const { msgId } = message.envelope
  return outcome && !outcome.ok
    ? { msgId, state: 'refused', reason: outcome.reason satisfies MessageRefusal }
    : { msgId, state: 'processed' }
}
