import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import type { PaidSale } from '../trade.types'

/** A wallboard's map shows the last of them one by one. */
const NEWEST = 40

/** Lists and wallboards hear with the commit that something was sold. */
export async function announceSales(tx: Tx, paid: readonly PaidSale[]): Promise<void> {
  if (paid.length === 0) return
  const machineIds = [...new Set(paid.map((sale) => sale.machine.id))]
  const merchantIds = [...new Set(paid.map((sale) => sale.machine.merchantId))]
  const newest = paid
    .slice(-NEWEST)
    .flatMap(({ machine, items: [first], paidFen: amountFen, occurredAt }) =>
      first ? [{ machineId: machine.id, productId: first.productId, amountFen, at: occurredAt.toISOString() }] : [],
    )
  await announce(tx, { topic: 'sales', machineIds, merchantIds, newest })
}
