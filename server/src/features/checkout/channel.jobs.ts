import { paymentAttemptState } from '@aisle/contract/payment/states'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import { addJobAt, type Job } from '../../kernel/jobs'
import { unseal } from '../../kernel/seal'
import { settingOf } from '../../kernel/settings'
import {
  ASK_CHANNELS,
  type Attempt,
  type AttemptRow,
  channelOf,
  claimAttempts,
  findAttempt,
  nextDueAt,
  payCodeOf,
  type PaymentAnswer,
} from '../payment/public'
import { takePaymentAnswer } from './answer.commands'

/** Of one run under way at the same time: a channel that is silent holds up no more than these. */
const AT_ONCE = 24
/** A payment is told by its notification; where nobody can tell us, it is found by asking. */
const FIRST_QUERY_MS = 15_000
const FIRST_QUERY_UNTOLD_MS = 4_000

/** Waits for the time when the next one is due. */
const NEXT = 'payment.askNext'

/** Asks once after an attempt that is over: somebody told of money that does not fit it. */
export const RECHECK = 'payment.recheck'

export const jobs: Job[] = [
  { name: ASK_CHANNELS, run: askChannels },
  { name: NEXT, run: askChannels },
  { name: RECHECK, run: (services, { attemptNo }) => recheckOver(services, String(attemptNo)) },
  { name: 'payment.askOverdue', cron: '* * * * *', run: askChannels },
]

/**
 * Offers new attempts, asks after those that nobody told us about, and closes what was not paid in time. The intent is
 * committed before each call and the answer after it: whatever breaks between leaves an attempt that is asked about
 * next under its own number, so it is paid once.
 */
async function askChannels(services: Services): Promise<void> {
  const { db, clock } = services
  const firstMs = (await settingOf(db, publicAddress, null)) ? FIRST_QUERY_MS : FIRST_QUERY_UNTOLD_MS
  for (;;) {
    const now = clock.now()
    const claimed = await db.transaction().execute((tx) => claimAttempts(tx, { now, firstMs, most: AT_ONCE }))
    await Promise.all(claimed.map((attempt) => work(services, attempt)))
    if (claimed.length < AT_ONCE) break
  }
  const at = await nextDueAt(db, firstMs)
  if (at) await addJobAt(db, NEXT, at)
}

async function work(services: Services, attempt: AttemptRow): Promise<void> {
  await takePaymentAnswer(services, attempt.attemptNo, await ask(services, attempt))
}

/** What its own channel says counts; a silent one is asked again by the worker. */
async function recheckOver(services: Services, attemptNo: string): Promise<void> {
  const attempt = await findAttempt(services.db, attemptNo)
  if (!attempt) return
  const channel = await channelOf(services, attempt.accountId)
  const answer = await channel.query(await attemptOf(services, attempt))
  if (answer.outcome === 'unknown') throw new Error(`nobody knows what became of attempt ${attemptNo}`)
  await takePaymentAnswer(services, attemptNo, answer)
}

const silence: PaymentAnswer = {
  outcome: 'unknown',
  channelNo: null,
  paidFen: null,
  paidAt: null,
  payUrl: null,
  code: 'noChannel',
}

async function ask(services: Services, row: AttemptRow): Promise<PaymentAnswer> {
  // Keys that do not open are no reason to lose a payment: it is asked about again, and a person reads why.
  const channel = await channelOf(services, row.accountId).catch(() => null)
  if (!channel) return silence
  const attempt = await attemptOf(services, row)
  const isOver = services.clock.now() > row.expiresAt
  if (isOver)
    return paymentAttemptState.is(row.state, 'created') ? await channel.query(attempt) : await channel.close(attempt)
  // What was never heard of is offered again: the same number is the same payment.
  const isNew =
    paymentAttemptState.is(row.state, 'created') ||
    (paymentAttemptState.is(row.state, 'unknown') && row.payUrl === null)
  const hasCode = row.product === 'native' || row.payCodeSealed !== null
  return isNew && hasCode ? channel.offer(attempt) : channel.query(attempt)
}

async function attemptOf({ keys, db }: Services, row: AttemptRow): Promise<Attempt> {
  const { attemptNo, amountFen, expiresAt, channelNo, paidAt, product, payCodeSealed } = row
  const code = payCodeSealed ? unseal(keys, payCodeOf(attemptNo), payCodeSealed) : ''
  return {
    attemptNo,
    amountFen,
    title: row.title || (await titleOf({ db }, row)),
    askedAt: row.askedAt ?? row.createdAt,
    expiresAt,
    channelNo,
    paidAt,
    isShared: row.isShared,
    ...(product === 'barcode' ? { authCode: code } : {}),
  }
}

/** What the customer reads in the wallet where the account names nothing. */
async function titleOf({ db }: Pick<Services, 'db'>, { merchantId }: AttemptRow): Promise<string> {
  const found = await sql<{ name: string }>`select name from merchant where id = ${merchantId}`.execute(db)
  return found.rows[0]?.name ?? ''
}
