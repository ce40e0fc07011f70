import { randomInt } from 'node:crypto'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import { type Provider, providers } from '@aisle/contract/payment/states'
import type { PaymentMethod } from '@aisle/contract/trade/states'
import type { AuthKeys, Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { seal } from '../../kernel/seal'
import { findAccounts } from './account/account.store'
import { insertAttempts, type NewAttempt } from './attempt.store'

/** What an order that is about to be opened must say of itself. */
type AttemptAsk = {
  orderId: number
  orderNo: string
  msgId: string
  machine: { id: number; merchantId: number }
  method: PaymentMethod
  code: string | null
  amountFen: number
  at: Date
  receivedAt: Date
  businessDay: string
  expiresAt: Date
}

/** The job that speaks with channels about attempts. */
export const ASK_CHANNELS = 'payment.ask'

/**
 * An attempt at a channel for each order that an account collects for, in the order's own transaction; the channel is
 * asked after the commit. Where no account is set up, the machine's own reader takes the money. Nothing is refused.
 */
export async function openAttempts(
  tx: Tx,
  asks: readonly AttemptAsk[],
  keys: AuthKeys,
): Promise<Map<number, MessageRefusal>> {
  const able = asks.filter(({ method, amountFen }) => isProvider(method) && amountFen > 0)
  const wanted = able.map((ask) => ({
    ask,
    machineId: ask.machine.id,
    method: ask.method as Provider,
    product: ask.code === null ? ('native' as const) : ('barcode' as const),
  }))
  const accounts = await findAccounts(tx, wanted)
  const attempts = wanted.flatMap((want): NewAttempt[] => {
    const account = accounts.get(want)
    if (!account) return []
    const { ask } = want
    const attemptNo = attemptNoOf(ask)
    return [
      {
        attemptNo,
        orderId: ask.orderId,
        orderNo: ask.orderNo,
        occurredAt: ask.at,
        merchantId: ask.machine.merchantId,
        machineId: ask.machine.id,
        accountId: account.id,
        method: want.method,
        product: want.product,
        amountFen: ask.amountFen,
        payCodeSealed: ask.code === null ? null : seal(keys, payCodeOf(attemptNo), ask.code),
        msgId: ask.msgId,
        businessDay: ask.businessDay,
        createdAt: ask.receivedAt,
        expiresAt: ask.expiresAt,
      },
    ]
  })
  await insertAttempts(tx, attempts)
  if (attempts.length > 0) await addJob(tx, ASK_CHANNELS)
  return new Map()
}

const isProvider = (method: PaymentMethod): boolean => (providers as readonly string[]).includes(method)

/** What the seal of a customer's own code is bound to. */
export const payCodeOf = (attemptNo: string): string => `pay code:${attemptNo}`

/**
 * Letters and digits, at most 32, as UnionPay wants them. The order's id makes it unique here, its day and chance at a
 * provider that knew another database of ours.
 */
const attemptNoOf = ({ orderId, businessDay }: AttemptAsk): string =>
  `A${businessDay.replaceAll('-', '').slice(2)}${String(orderId).padStart(10, '0')}${randomInt(1000, 9999)}`
