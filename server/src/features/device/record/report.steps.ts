import type { Tx } from '../../../kernel/context'
import { grouped, must } from '../../../kernel/must'
import { askCounts, takeReported } from '../../counting/public'
import { findProducts, findSlots, productKey, pullOut, slotKey } from '../../stock/public'
import { refused, taken } from '../../trade/public'
import { type Batch, type Heard, heardOf, type Step } from '../link/batch'

type Delta = Heard<'stock.delta'>

/** What was taken out and counted at machines; what a motor has turned out was a sale's, which says so itself. */
export const takeReports: Step = async (tx, batch) => {
  const said = heardOf(batch, 'stock.delta')
  await takePulled(
    tx,
    batch,
    said.filter(({ data: { cause, change } }) => (cause === 'remove' || cause === 'expired') && change < 0),
  )
  const counts = said.filter(({ data: { cause, after } }) => cause === 'count' && after >= 0)
  const problems = await takeReported(
    tx,
    counts.map(({ work, machine, data, occurredAt: at }) => {
      return { work, machine, slot: data.slot, product: data.product, counted: data.after, at }
    }),
    batch.now,
  )
  for (const [{ work }, problem] of problems) work.outcome = problem ? refused(problem) : taken
}

/** More than the books have there is booked as it was, and somebody is asked to count. */
async function takePulled(tx: Tx, { now }: Batch, said: readonly Delta[]): Promise<void> {
  if (said.length === 0) return
  const slots = await findSlots(
    tx,
    said.map(({ machine, data }) => ({ machineId: machine.id, code: data.slot })),
  )
  const products = await findProducts(
    tx,
    said.map(({ machine: { merchantId }, data }) => ({ merchantId, code: data.product })),
  )
  const pulled = said.flatMap(({ work, msgId, machine, data, occurredAt: at }) => {
    const { merchantId, id: machineId, code } = machine
    const slot = slots.get(slotKey(machineId, data.slot))
    const product = products.get(productKey({ merchantId, code: data.product }))
    if (!slot || !product) {
      work.outcome = refused(slot ? 'itemUnknown' : 'unknownSlot')
      return []
    }
    work.outcome = taken
    const of = { machine, slot, merchantId, machineId, placeId: slot.place_id, productId: product.id, at, userId: null }
    const out = { quantity: -data.change, batch: data.batch ?? null, replenisher: data.user ?? null }
    const isExpired = data.cause === 'expired'
    return [{ ...of, ...out, isExpired, reference: `message/${code}/${msgId}` }]
  })
  const booked = await pullOut(tx, pulled, now)
  const short = pulled.filter((each) => must(booked.get(each), 'what was booked').left < 0)
  for (const own of grouped(short, ({ machineId }) => machineId).values()) {
    const asked = own.map(({ slot, placeId, productId, quantity }) => {
      return { slot: slot.code, placeId, productId, stock: slot.stock, note: `${slot.code} -${quantity}` }
    })
    await askCounts(tx, must(own[0], 'a report').machine, asked, now)
  }
}
