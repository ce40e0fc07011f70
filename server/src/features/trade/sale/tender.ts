import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { MessageRefusal } from '@aisle/contract/device/messages'
import { itemState, type PaymentMethod } from '@aisle/contract/trade/states'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { openPlays, settlePlays } from '../../lottery/public'
import { chargeCards } from '../../member/public'
import { openAttempts } from '../../payment/public'
import { checkMedicines, holdMedicines, recountTakes, settlePrescriptions } from '../../pharmacy/public'
import { holdCodes, settleCodes } from '../../pickup/public'
import { holdVouchers, type PricedVoucher, settleUses } from '../../promotion/public'
import { paysByCode } from '../order/order.rules'
import type { Ended, MachineRef } from '../trade.types'

/** What a request brings beside its slots, as the domains need it that keep codes, cards, prescriptions and plays. */
export type Ask = {
  orderId: number
  orderNo: string
  msgId: string
  machine: MachineRef
  method: PaymentMethod
  code: string | null
  prescription: string | null
  voucher: PricedVoucher | null
  person: { hash: Buffer; age: number } | null
  isPlay: boolean
  amountFen: number
  items: readonly {
    placeId: number
    productId: number
    medicineClass: MedicineClass | null
    slotCode: string
    listPriceFen: number
    /** What is asked for it. */
    priceFen: number
  }[]
  at: Date
  receivedAt: Date
  businessDay: string
  expiresAt: Date
}

/** Refused, or held for this order; `isPaid`: the code that came along has paid. */
export type Held = { refused: MessageRefusal } | { refused: null; isPaid: boolean }

type Step = {
  applies: (ask: Ask) => boolean
  take: (tx: Tx, asks: readonly Ask[], keys: AuthKeys) => Promise<Map<number, MessageRefusal>>
}

/** In this order: what takes money stands last, so that nothing is charged for what is then refused. */
const steps: readonly Step[] = [
  { applies: (ask) => ask.items.some(({ medicineClass }) => medicineClass !== null), take: takeMedicines },
  { applies: (ask) => ask.prescription !== null || ask.person !== null, take: holdMedicines },
  { applies: (ask) => ask.voucher !== null, take: holdVouchers },
  { applies: (ask) => ask.isPlay, take: openPlays },
  { applies: (ask) => ask.method === 'pickup_code', take: holdCodes },
  { applies: (ask) => ask.method === 'member_card', take: chargeCards },
  { applies: (ask) => !paysByCode(ask.method) && ask.method !== 'cash', take: openAttempts },
]

async function takeMedicines(tx: Tx, asks: readonly Ask[]): Promise<Map<number, MessageRefusal>> {
  const refused = await checkMedicines(tx, asks)
  return new Map([...refused].map(([{ orderId }, reason]) => [orderId, reason]))
}

/** Takes hold, for orders that are about to be opened, of all that they are sold on. One answer an order. */
export async function hold(tx: Tx, asks: readonly Ask[], keys: AuthKeys): Promise<Map<number, Held>> {
  const refused = new Map<number, MessageRefusal>()
  for (const { applies, take } of steps) {
    const asked = asks.filter((ask) => !refused.has(ask.orderId) && applies(ask))
    if (asked.length === 0) continue
    const turnedDown = await take(tx, asked, keys)
    for (const [orderId, reason] of turnedDown) refused.set(orderId, reason)
  }
  // What an earlier step holds for an order that a later one turned down is let go.
  await letGo(
    tx,
    asks.filter((ask) => refused.has(ask.orderId)).map(({ orderId, at }) => ({ orderId, at, items: [] })),
  )
  return new Map(
    asks.map((ask): [number, Held] => {
      const reason = refused.get(ask.orderId)
      return [ask.orderId, reason ? { refused: reason } : { refused: null, isPaid: paysByCode(ask.method) }]
    }),
  )
}

/** What a held order came to: which of its items are with the customer. Told again when that changes. */
export type Settled = {
  orderId: number
  at: Date
  items: readonly {
    productId: number
    isDispensed: boolean
    /** The machine has not said; it may have come out. */
    isUnknown: boolean
    batch: string | null
    traceCode: string | null
  }[]
}

async function letGo(tx: Tx, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return
  await settlePrescriptions(tx, settled)
  await settleCodes(tx, settled)
  await settlePlays(tx, settled)
}

/** Orders have ended, or what came of them changed: what they held is spent by what came out, and the rest is free. */
export async function settleHolds(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const held = ended.filter(
    ({ order }) => order.tender_code !== null || order.prescription_code !== null || order.is_lottery,
  )
  // What a checked person took is known by its order alone.
  await recountTakes(
    tx,
    ended.filter(({ order }) => order.prescription_code === null).map(({ order }) => order.id),
  )
  await settleUses(tx, ended.filter(({ order }) => order.discount_fen > 0).map(settledOf))
  await letGo(tx, held.map(settledOf))
}

const settledOf = ({ order, items, at }: Ended): Settled => ({
  orderId: order.id,
  at,
  items: items.map((item) => ({
    productId: item.product_id,
    isDispensed: itemState.is(item.state, 'dispensed'),
    isUnknown: itemState.is(item.state, 'no_answer'),
    batch: item.batch,
    traceCode: item.trace_code,
  })),
})
