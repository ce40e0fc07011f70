import type { OrderAnswer } from '@aisle/contract/device/messages'
import { paymentAttemptState } from '@aisle/contract/payment/states'
import { announce } from '../../kernel/announce'
import type { AuthKeys, Tx } from '../../kernel/context'
import { announceShipments } from '../device/public'
import { type AttemptRow, keepUnclaimed, lockAttempt, moveAttempt, type PaymentAnswer } from '../payment/public'
import { keepPayer } from './payer.store'
import { openDue } from '../refund/public'
import { announceSales, bookPaid, type Drawn, takeChannelPayment } from '../trade/public'

type With = { keys: AuthKeys; now: Date }

/**
 * What a channel said of an attempt, by an answer or by a notification, becomes what we know: in any order and however
 * often it is said. The transaction ends with it, since the figures come last.
 */
export async function takePaymentAnswer(tx: Tx, attemptNo: string, answer: PaymentAnswer, given: With): Promise<void> {
  const attempt = await lockAttempt(tx, attemptNo)
  if (!attempt) return
  const { state, paidFen } = answer
  if (state === 'paid' && paidFen !== null) return takeMoney(tx, attempt, { ...answer, paidFen }, given)
  const { can } = paymentAttemptState
  if (state === 'closed' && can(attempt.state, 'close')) return end(tx, attempt, answer, given.now)
  if (state === 'waiting' && can(attempt.state, 'close')) return offer(tx, attempt, answer)
  if (can(attempt.state, 'lose')) await moveAttempt(tx, attempt.id, { state: 'unknown', fault: answer.code })
}

/** The machine is told what to show as soon as it is there. */
async function offer(tx: Tx, attempt: AttemptRow, { payUrl, code }: PaymentAnswer): Promise<void> {
  await moveAttempt(tx, attempt.id, { state: 'waiting', fault: code, ...(payUrl ? { payUrl } : {}) })
  if (!payUrl || attempt.payUrl !== null) return
  const { amountFen, expiresAt } = attempt
  await tellMachine(tx, attempt, { amountFen, expiresAt: expiresAt.toISOString(), isOffered: true, payUrl })
}

/** Before there was anything to scan the channel has refused; after that nobody paid in time. */
async function end(tx: Tx, attempt: AttemptRow, { code }: PaymentAnswer, now: Date): Promise<void> {
  const isRefused = paymentAttemptState.can(attempt.state, 'fail') && attempt.payUrl === null
  const state = isRefused ? 'fail' : 'close'
  const closedAt = isRefused ? {} : { closedAt: now }
  await moveAttempt(tx, attempt.id, { state: paymentAttemptState.to(state), fault: code, ...closedAt })
  if (isRefused && now < attempt.expiresAt) await tellMachine(tx, attempt, { refused: 'paymentUnavailable' })
}

type Money = PaymentAnswer & { paidFen: number }

async function takeMoney(tx: Tx, attempt: AttemptRow, money: Money, { keys, now }: With): Promise<void> {
  const channelNo = money.channelNo ?? attempt.attemptNo
  const paidAt = money.paidAt ?? now
  const { paidFen } = money
  if (!paymentAttemptState.can(attempt.state, 'pay')) {
    // Paid is paid once; a second number of the channel's would be other money.
    return attempt.channelNo === channelNo ? undefined : keepTwice(tx, attempt, { channelNo, paidFen, paidAt }, now)
  }
  await moveAttempt(tx, attempt.id, { state: 'paid', channelNo, paidFen, paidAt, fault: money.code })
  const payment = { orderNo: attempt.orderNo, paidFen, channelNo, paidAt }
  const { outcome, paid, toShip, drawn, orderId } = await takeChannelPayment(tx, payment, { keys, now })
  if (outcome === 'paidOtherwise' || outcome === 'noOrder') {
    await keepTwice(tx, attempt, { channelNo, paidFen, paidAt }, now)
  }
  if (money.payer) await keepPayer(tx, attempt.id, money.payer, now)
  await announceShipments(tx, toShip, now)
  for (const each of drawn) await tellDrawn(tx, attempt, each)
  if (outcome === 'late') await openDue(tx, [orderId], now)
  await announce(tx, { topic: 'orders', machineIds: [attempt.machineId] })
  await bookPaid(tx, paid, now)
  await announceSales(tx, paid)
}

type Taken = { channelNo: string; paidFen: number; paidAt: Date }

const keepTwice = (tx: Tx, attempt: AttemptRow, { channelNo, paidFen, paidAt }: Taken, now: Date): Promise<void> =>
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

const tellDrawn = (tx: Tx, attempt: AttemptRow, { result, number, oddsPermille }: Drawn): Promise<void> =>
  tellMachine(tx, attempt, { drawn: result, number, oddsPermille })

type Told<T> = T extends OrderAnswer ? Omit<T, 'msgId' | 'orderNo'> : never

/** A second answer to the request that the attempt was made for. */
async function tellMachine(tx: Tx, attempt: AttemptRow, told: Told<OrderAnswer>): Promise<void> {
  const { machineCode, msgId } = attempt
  const orderNo = attempt.orderNo.slice(machineCode.length + 1)
  await announce(tx, { topic: 'tell', machineCode, answer: { msgId, orderNo, ...told } })
}
