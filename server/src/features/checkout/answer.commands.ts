import type { OrderAnswer } from '@aisle/contract/device/messages'
import { paymentAttemptState } from '@aisle/contract/payment/states'
import { announce } from '../../kernel/announce'
import type { AuthKeys, Services, Tx } from '../../kernel/context'
import { announceShipments } from '../device/public'
import { type AttemptRow, lockAttempts, moveAttempt, moveToPaid, type PaymentAnswer } from '../payment/public'
import { keepPayer } from '../fleet/public'
import { keepUnclaimed, openDue } from '../refund/public'
import { holdBackStopped, type Books, type Drawn, takeChannelPayments, withBooks } from '../trade/public'

type With = { books: Books; keys: AuthKeys; now: Date }

/** What was said of one attempt; `heardAt` where it waited for its turn. */
export type Said = { attemptNo: string; answer: PaymentAnswer; heardAt?: Date }

/**
 * What channels said of attempts, by answers or by notifications, becomes what we know, in a transaction of its own: in
 * any order and however often it is said.
 */
export function takePaymentAnswers(services: Services, said: readonly Said[]): Promise<void> {
  const { db, keys, clock } = services
  const now = clock.now()
  return db.transaction().execute((tx) => withBooks(tx, now, (books) => take(tx, said, { books, keys, now })))
}

export const takePaymentAnswer = (services: Services, attemptNo: string, answer: PaymentAnswer): Promise<void> =>
  takePaymentAnswers(services, [{ attemptNo, answer }])

async function take(tx: Tx, said: readonly Said[], given: With): Promise<void> {
  const attempts = await lockAttempts(
    tx,
    said.map(({ attemptNo }) => attemptNo),
  )
  const money: Money[] = []
  const orders = new Set<string>()
  const later: Said[] = []
  for (const each of said) {
    const { attemptNo, answer, heardAt = given.now } = each
    const attempt = attempts.get(attemptNo)
    if (!attempt) continue
    if (orders.has(attempt.orderNo)) {
      later.push(each)
      continue
    }
    orders.add(attempt.orderNo)
    const { paidFen, paidAt, channelNo } = answer
    const isMoney = answer.outcome === 'paid' && paidFen !== null
    if (!isMoney) await takeWord(tx, attempt, answer, given.now)
    const named = { channelNo: channelNo ?? attemptNo, paidAt: paidAt ?? heardAt }
    if (isMoney) money.push({ attempt, orderNo: attempt.orderNo, answer, paidFen, heardAt, ...named })
  }
  if (money.length > 0) await takeMoney(tx, money, given)
  // What is said again of an order finds what was made of the word before.
  if (later.length > 0) await take(tx, later, given)
}

async function takeWord(tx: Tx, attempt: AttemptRow, answer: PaymentAnswer, now: Date): Promise<void> {
  const { outcome } = answer
  const { can } = paymentAttemptState
  if (outcome === 'closed' && can(attempt.state, 'close')) return end(tx, attempt, answer, now)
  if (outcome === 'waiting' && can(attempt.state, 'offer')) return offer(tx, attempt, answer)
  if (can(attempt.state, 'lose')) await moveAttempt(tx, attempt, 'lose', { fault: answer.code })
}

/** The machine is told what to show as soon as it is there. */
async function offer(tx: Tx, attempt: AttemptRow, { payUrl, code }: PaymentAnswer): Promise<void> {
  await moveAttempt(tx, attempt, 'offer', { fault: code, ...(payUrl ? { payUrl } : {}) })
  if (!payUrl || attempt.payUrl !== null) return
  const { amountFen, expiresAt } = attempt
  await tellMachine(tx, attempt, { amountFen, expiresAt: expiresAt.toISOString(), isOffered: true, payUrl })
}

/** Before there was anything to scan the channel has refused; after that nobody paid in time. */
async function end(tx: Tx, attempt: AttemptRow, { code }: PaymentAnswer, now: Date): Promise<void> {
  const isRefused = paymentAttemptState.can(attempt.state, 'fail') && attempt.payUrl === null
  const closedAt = isRefused ? {} : { closedAt: now }
  await moveAttempt(tx, attempt, isRefused ? 'fail' : 'close', { fault: code, ...closedAt })
  if (isRefused && now < attempt.expiresAt) await tellMachine(tx, attempt, { refused: 'paymentUnavailable' })
}

type Money = {
  attempt: AttemptRow
  orderNo: string
  answer: PaymentAnswer
  channelNo: string
  paidFen: number
  paidAt: Date
  heardAt: Date
}

async function takeMoney(tx: Tx, all: readonly Money[], { books, keys, now }: With): Promise<void> {
  const isNew = ({ attempt }: Money) => paymentAttemptState.can(attempt.state, 'pay')
  for (const known of all.filter((each) => !isNew(each))) {
    // Paid is paid once; a second number of the channel's would be other money.
    if (known.attempt.channelNo !== known.channelNo) await keepTwice(tx, known, now)
  }
  const fresh = all.filter(isNew)
  await moveToPaid(
    tx,
    fresh.map(({ attempt: { id }, answer: { code }, ...money }) => ({ id, ...money, fault: code })),
  )
  const { came, toShip, drawn, due } = await takeChannelPayments(tx, books, fresh, { keys, now })
  for (const { payment, outcome } of came) {
    if (outcome === 'paidOtherwise' || outcome === 'noOrder') await keepTwice(tx, payment, now)
  }
  for (const { attempt, answer } of fresh) if (answer.payer) await keepPayer(tx, attempt.id, answer.payer, now)
  const shipping = await holdBackStopped(tx, toShip, now)
  await announceShipments(tx, shipping.toShip, now)
  const byOrder = new Map(fresh.map((each) => [each.orderNo, each.attempt]))
  for (const each of drawn) {
    const attempt = byOrder.get(each.orderNo)
    if (attempt) await tellDrawn(tx, attempt, each)
  }
  await openDue(tx, [...due, ...shipping.ended], now)
  const machineIds = [...new Set(fresh.map(({ attempt }) => attempt.machineId))]
  if (machineIds.length > 0) await announce(tx, { topic: 'orders', machineIds })
}

const keepTwice = (tx: Tx, { attempt, channelNo, paidFen, paidAt }: Money, now: Date): Promise<void> =>
  keepUnclaimed(
    tx,
    {
      providerAccountId: attempt.providerAccountId,
      provider: attempt.method,
      channelNo,
      attemptNo: attempt.attemptNo,
      amountFen: paidFen,
      paidAt,
      cause: 'paid_twice',
    },
    now,
  )

const tellDrawn = (tx: Tx, attempt: AttemptRow, { result, number, oddsPermille, prizeCode }: Drawn): Promise<void> =>
  tellMachine(tx, attempt, { drawn: result, number, oddsPermille, ...(prizeCode && { prizeCode }) })

type Told<T> = T extends OrderAnswer ? Omit<T, 'msgId' | 'orderNo'> : never

/** A second answer to the request that the attempt was made for. */
async function tellMachine(tx: Tx, attempt: AttemptRow, told: Told<OrderAnswer>): Promise<void> {
  const { machineCode, msgId } = attempt
  const orderNo = attempt.orderNo.slice(machineCode.length + 1)
  await announce(tx, { topic: 'tell', machineCode, answer: { msgId, orderNo, ...told } })
}
