import type { AccountTemplate } from '@aisle/contract/fleet/officialAccount'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Reader, Services, Tx } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import { word } from '../../kernel/words'
import { forgetPayers, markTold, type PayerRow, takePayers } from '../fleet/public'
import { CUSTOMER, type CustomerFacts, dueOf } from './customer.rules'

const DAY_MS = 86_400_000
/** What becomes of an order later than this is no news that a template message is for. */
const TOLD_FOR_MS = 3 * DAY_MS
const KEPT_FOR_MS = 30 * DAY_MS

/** Whoever paid an order by the machine's official account hears what becomes of it, each thing once. */
export async function tellCustomers({ db, keys, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await forgetPayers(tx, new Date(now.getTime() - KEPT_FOR_MS))
    const payers = await takePayers(tx, new Date(now.getTime() - TOLD_FOR_MS))
    const orders = await findOrders(tx, payers)
    for (const payer of payers) {
      const order = orders.get(payer.orderId)
      if (order) await tell(tx, keys, payer, order, now)
    }
  })
}

async function tell(tx: Tx, keys: AuthKeys, payer: PayerRow, order: OrderRow, now: Date): Promise<void> {
  const due = dueOf(order).filter((kind) => !payer.told.includes(kind))
  if (due.length === 0) return
  for (const kind of due.filter((each) => payer.templates[each])) {
    const vars = factsOf(order, kind)
    await send(tx, keys, {
      type: `${CUSTOMER}${kind}`,
      channel: 'wechat',
      accountId: payer.accountId,
      merchantId: payer.accountMerchantId,
      userId: null,
      receiver: payer.openId,
      title: `${vars.title} ${vars.orderNo}`,
      body: [vars.product, vars.amount, vars.machine, vars.time].join(' · '),
      vars,
      reference: `customer/${payer.orderId}/${kind}`,
      at: now,
    })
  }
  await markTold(tx, payer.orderId, due)
}

type OrderRow = {
  id: number
  orderNo: string
  paymentState: string
  shipState: string
  paidFen: number
  refundedFen: number
  /** By the machine's clock on the wall. */
  time: string
  machineName: string
  products: string
}

async function findOrders(db: Reader, payers: readonly PayerRow[]): Promise<Map<number, OrderRow>> {
  if (payers.length === 0) return new Map()
  const ids = payers.map(({ orderId }) => ({ orderId }))
  const found = await sql<OrderRow>`select o.id, o.order_no as "orderNo", o.payment_state as "paymentState",
      o.ship_state as "shipState", o.paid_fen as "paidFen", o.refunded_fen as "refundedFen",
      to_char(o.occurred_at at time zone m.time_zone, 'YYYY-MM-DD HH24:MI') as time, m.name as "machineName",
      (select string_agg(distinct p.name, '、') from order_item i join product p on p.id = i.product_id
        where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id) as products
    from ${rows('w', ids, { orderId: 'bigint' })} join order_payer y on y.order_id = w.order_id
    join orders o on o.merchant_id = y.merchant_id and o.occurred_at = y.occurred_at and o.id = y.order_id
    join machine m on m.id = o.machine_id`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** In the product's first language: a template of WeChat's has one. */
function factsOf(order: OrderRow, kind: AccountTemplate): CustomerFacts {
  const { orderNo, products, machineName, paidFen, refundedFen, time } = order
  const fen = kind === 'refunded' ? refundedFen : paidFen
  return {
    title: word('zh', 'notice', `customer.${kind}`),
    orderNo,
    product: products,
    machine: machineName,
    amount: `${Math.trunc(fen / 100)}.${String(fen % 100).padStart(2, '0')}元`,
    time,
  }
}
