import type { Tx } from '../../../kernel/context'
import { grouped, must } from '../../../kernel/must'
import { askCounts, takeReported } from '../../counting/public'
import { findProducts, findSlots, productKey, pullOut, slotKey } from '../../stock/public'
import { refused, taken } from '../../trade/public'
import { type Heard, heardOf, type Step } from '../link/batch'

type Delta = Heard<'stock.delta'>

/** What was taken out and counted at machines; what a motor has turned out was a sale's, which says so itself. */
export const takeReports: Step = async (tx, batch) => {
  const said = heardOf(batch, 'stock.delta').filter(({ data }) => isPulled(data) || isCounted(data))
  const found = await resolve(tx, said)
  await takePulled(
    tx,
    found.filter(({ data }) => isPulled(data)),
    batch.now,
  )
  const counts = found.filter(({ data }) => isCounted(data))
  await takeReported(
    tx,
    counts.map((each) => ({ ...each, counted: each.data.after })),
    batch.now,
  )
}

const isPulled = ({ cause, change }: Delta['data']) => (cause === 'remove' || cause === 'expired') && change < 0
const isCounted = ({ cause, after }: Delta['data']) => cause === 'count' && after >= 0

/** With the slot and product that they are about; those of none are refused. */
async function resolve(tx: Tx, said: readonly Delta[]) {
  if (said.length === 0) return []
  const slots = await findSlots(
    tx,
    said.map(({ machine, data }) => ({ machineId: machine.id, code: data.slot })),
  )
  const products = await findProducts(
    tx,
    said.map(({ machine: { merchantId }, data }) => ({ merchantId, code: data.product })),
  )
  return said.flatMap(({ work, msgId, machine, data, occurredAt: at }) => {
    const slot = slots.get(slotKey(machine.id, data.slot))
    const product = products.get(productKey({ merchantId: machine.merchantId, code: data.product }))
    work.outcome = slot && product ? taken : refused(slot ? 'itemUnknown' : 'unknownSlot')
    if (!slot || !product) return []
    const { id: productId, cost_fen: unitFen, medicine_class: medicineClass } = product
    const goods = { productId, unitFen, isMedicine: medicineClass !== null }
    return [{ machine, msgId, data, at, slot: slot.code, placeId: slot.place_id, stock: slot.stock, ...goods }]
  })
}

/** More than the books have there is booked as it was, and somebody is asked to count. */
async function takePulled(tx: Tx, found: Awaited<ReturnType<typeof resolve>>, now: Date): Promise<void> {
  if (found.length === 0) return
  const pulled = found.map((each) => {
    const { machine, msgId, data } = each
    const { merchantId, id: machineId, code } = machine
    const out = { quantity: -data.change, batch: data.batch ?? null, replenisher: data.user ?? null, userId: null }
    const isExpired = data.cause === 'expired'
    return { ...each, merchantId, machineId, ...out, isExpired, reference: `message/${code}/${msgId}` }
  })
  const booked = await pullOut(tx, pulled, now)
  const short = pulled.filter((each) => must(booked.get(each), 'what was booked').left < 0)
  for (const own of grouped(short, ({ machineId }) => machineId).values()) {
    const asked = own.map((each) => ({ ...each, note: `${each.slot} -${each.quantity}` }))
    await askCounts(tx, must(own[0], 'a report').machine, asked, now)
  }
}
