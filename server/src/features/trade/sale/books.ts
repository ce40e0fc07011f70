import type { Tx } from '../../../kernel/context'
import { postTransfers, salePostings } from '../../ledger/public'
import { addPlaysToRollup } from '../../lottery/public'
import { findCharges } from '../../member/public'
import { spendVouchers } from '../../promotion/public'
import { addRefundsToRollups, addToRollups } from '../rollup.store'
import { announceSales } from './sale.announce'
import type { HandedOut, PaidSale, RefundedSale } from '../trade.types'

declare const made: unique symbol

/** What a transaction has to post yet. Whoever sells, takes money or hands out notes it here and can do no more. */
export type Books = {
  readonly [made]: true
  /** Sales whose money has arrived. */
  paid: (sales: readonly PaidSale[]) => void
  handedOut: (pieces: readonly HandedOut[]) => void
  /** Refunds whose money is with the customer. */
  refunded: (refunds: readonly RefundedSale[]) => void
}

type Noted = { paid: PaidSale[]; handedOut: HandedOut[]; refunded: RefundedSale[] }

const opened = new WeakSet<Tx>()

/**
 * Runs what a transaction does and posts what it has noted: ledger, figures, announcement. Stands around all of it and
 * once, because who holds the lock of the figures must not wait for another row (docs/decisions/0003).
 */
export async function withBooks<T>(tx: Tx, now: Date, work: (books: Books) => Promise<T>): Promise<T> {
  if (opened.has(tx)) throw new Error('a transaction has its books once')
  opened.add(tx)
  const noted: Noted = { paid: [], handedOut: [], refunded: [] }
  const books: Omit<Books, typeof made> = {
    paid: (sales) => void noted.paid.push(...sales),
    handedOut: (pieces) => void noted.handedOut.push(...pieces),
    refunded: (refunds) => void noted.refunded.push(...refunds),
  }
  const result = await work(books as Books)
  // What is noted later than this would be lost: it throws.
  for (const list of Object.values(noted)) Object.freeze(list)
  await post(tx, noted, now)
  return result
}

async function post(tx: Tx, { paid, handedOut, refunded }: Noted, now: Date): Promise<void> {
  await spendVouchers(tx, paid, now)
  await postSales(tx, paid, now)
  await addToRollups(tx, paid, handedOut)
  await addPlaysToRollup(
    tx,
    paid.filter(({ businessType }) => businessType === 'lottery').map(({ orderId }) => orderId),
  )
  await addRefundsToRollups(tx, refunded)
  await announceSales(tx, paid)
}

async function postSales(tx: Tx, paid: readonly PaidSale[], postedAt: Date): Promise<void> {
  const byCard = paid.filter((sale) => sale.method === 'member_card')
  const charges = await findCharges(
    tx,
    byCard.map((sale) => sale.orderId),
  )
  await postTransfers(
    tx,
    paid.map((sale) => ({
      kind: 'sale',
      reference: String(sale.orderId),
      merchantId: sale.machine.merchantId,
      postedAt,
      businessDay: sale.businessDay,
      postings: salePostings({
        method: sale.method,
        paidFen: sale.paidFen,
        merchantId: sale.machine.merchantId,
        machineCode: sale.machine.code,
        collectsPayment: sale.machine.collectsPayment,
        card: charges.get(sale.orderId),
      }),
    })),
  )
}
