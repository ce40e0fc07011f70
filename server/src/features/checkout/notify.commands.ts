import { paymentAttemptState, type Provider, providers } from '@aisle/contract/payment/states'
import type { Services } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import type { RawAnswer, RawCall, RawRoute } from '../../kernel/rawRoute'
import {
  ASK_CHANNELS,
  type AttemptRow,
  channelOf,
  channelOfToken,
  findAttempt,
  isOfAccount,
  keepExchange,
  type PaymentNotice,
  recheckAttempt,
  type RefundNotice,
} from '../payment/public'
import { attemptOfRefund, keepUnclaimed, takeRefundAnswers } from '../refund/public'
import { takePaymentAnswer } from './answer.commands'
import { RECHECK } from './channel.jobs'

/** Providers take no query in the address they are given, so it names the account. Described in decisions 0015. */
export const rawRoutes: readonly RawRoute[] = [{ path: '/api/pay/notify/:provider/:token', run: takeNotification }]

const NOWHERE: RawAnswer = { status: 404, type: 'text/plain', body: 'not found' }

/**
 * What a provider tells us by itself. First the signature over the bytes as they came, then whether account, payee,
 * number, currency and amount are those of our row; what is right is taken once, however often it is told. Everything
 * is kept word for word.
 */
async function takeNotification(services: Services, call: RawCall): Promise<RawAnswer> {
  const { provider = '', token = '' } = call.params
  const known = isProvider(provider) ? await channelOfToken(services, provider, token) : null
  if (!known) return NOWHERE
  const { channel, providerAccountId } = known
  const now = services.clock.now()
  const notice = channel.readNotification(call.headers, call.body, now)
  const isProven = notice.about !== 'forged'
  const reply = channel.replyTo(isProven)
  const answer = isProven ? reply : { ...reply, status: provider === 'alipay' ? 200 : 401 }
  await keepExchange(services.db, {
    at: now,
    providerAccountId,
    merchantId: null,
    kind: 'notification',
    reference: referenceOf(notice),
    address: `POST /api/pay/notify/${provider}/…`,
    request: call,
    status: answer.status,
    answer: { headers: {}, body: 'reason' in notice ? `${answer.body} (${notice.reason})` : answer.body },
    outcome: isProven ? (notice.about === 'unreadable' ? 'refused' : 'answered') : 'forged',
    durationMs: 0,
  })
  if (notice.about === 'payment' && notice.outcome === 'paid')
    await takePaid(services, notice, { providerAccountId, provider: channel.provider })
  if (notice.about === 'refund') await takeRefund(services, notice, providerAccountId)
  return answer
}

const isProvider = (name: string): name is Provider => (providers as readonly string[]).includes(name)

function referenceOf(notice: { about: string; attemptNo?: string; refundNo?: string }): string {
  return notice.refundNo ?? notice.attemptNo ?? ''
}

type From = { providerAccountId: number; provider: Provider }

async function takePaid(services: Services, notice: PaymentNotice, from: From): Promise<void> {
  const attempt = await findAttempt(services.db, notice.attemptNo)
  if (!attempt) return keepMoney(services, notice, from, 'unknown_number')
  if (!isOfAccount(notice, await ownOf(services, attempt), from.providerAccountId))
    return keepMoney(services, notice, from, 'other_account')
  if (notice.amountFen !== attempt.amountFen) return recheck(services, attempt)
  const { channelNo, amountFen: paidFen, paidAt, payer } = notice
  const told = { channelNo, paidFen, paidAt, payUrl: null, code: 'notified', ...(payer ? { payer } : {}) }
  const answer = { outcome: 'paid' as const, ...told }
  await takePaymentAnswer(services, attempt.attemptNo, answer)
}

/**
 * Believed of refunds that go back through the account that tells it, of the payment and payee that it names. All else
 * changes nothing: our refund is asked after at its own account.
 */
async function takeRefund(services: Services, notice: RefundNotice, providerAccountId: number): Promise<void> {
  const { db } = services
  const { refundNo, outcome, channelRefundNo, amountFen } = notice
  const attempt = await findAttempt(db, (await attemptOfRefund(db, refundNo)) ?? '')
  if (!attempt || !isOfAccount(notice, await ownOf(services, attempt), providerAccountId)) return
  const said = { refundNo, outcome, channelRefundNo, code: 'notified', amountFen }
  await takeRefundAnswers(services, [said])
}

const ownOf = async (services: Services, attempt: AttemptRow) => ({
  ...attempt,
  payee: (await channelOf(services, attempt.accountId)).payee,
})

/** Another amount than was asked for is not taken on a notification's word: the provider is asked, and that counts. */
async function recheck({ db }: Services, attempt: AttemptRow): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!paymentAttemptState.can(attempt.state, 'close')) return addJob(tx, RECHECK, { attemptNo: attempt.attemptNo })
    await recheckAttempt(tx, attempt.id)
    await addJob(tx, ASK_CHANNELS)
  })
}

async function keepMoney(
  { db, clock }: Services,
  { channelNo, attemptNo, amountFen, paidAt }: PaymentNotice,
  { providerAccountId, provider }: From,
  cause: 'unknown_number' | 'other_account',
): Promise<void> {
  const now = clock.now()
  const kept = { providerAccountId, provider, channelNo, attemptNo, amountFen, paidAt: paidAt ?? now, cause }
  await db.transaction().execute((tx) => keepUnclaimed(tx, kept, now))
}
