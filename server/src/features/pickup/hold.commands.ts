import type { MessageRefusal } from '@aisle/contract/device/messages'
import type { AuthKeys, Tx } from '../../kernel/context'
import { findAsked } from './asked.store'
import { announceCodes } from './changed.store'
import { codeRefusal, pickupOf, placesFor, placesOut, settleCode } from './code.rules'
import { findCodes, insertUses, lockFree, lockUses, type NewUse, type Settlement, writeSettled } from './hold.store'
import { keepRefusals, type NewRefusal } from './refusal.store'

type CodeAsk = {
  orderId: number
  orderNo: string
  machine: { id: number; merchantId: number }
  code: string | null
  items: readonly { productId: number }[]
  receivedAt: Date
}

/**
 * Puts codes into the hands of the machines that ask: each into one at a time, whatever asks elsewhere meanwhile.
 * @returns why some are refused, by order; the others hold their code until they are settled
 */
export async function holdCodes(
  tx: Tx,
  asks: readonly CodeAsk[],
  keys: AuthKeys,
): Promise<Map<number, MessageRefusal>> {
  const [first] = asks
  if (!first) return new Map()
  const now = first.receivedAt
  const { known, refused: unknown } = await findAsked(tx, asks, { keys, now })
  const refused = new Map([...unknown].map(([ask, reason]) => [ask.orderId, reason]))
  const locked = await lockFree(
    tx,
    known.map(({ codeId }) => codeId),
  )
  const codes = await findCodes(
    tx,
    known.map(({ ask, codeId }) => ({ codeId, machineId: ask.machine.id })),
  )
  const uses: NewUse[] = []
  const told: NewRefusal[] = []
  for (const { ask, codeId } of known) {
    const code = codes.get(`${codeId}/${ask.machine.id}`)
    const places =
      code &&
      placesFor(
        code,
        ask.items.map((item) => item.productId),
      )
    // What another has just let go was not locked here, and of two in a batch the first has it.
    const isFree = locked.has(codeId)
    const reason = (code ? codeRefusal(code, now) : 'codeUnknown') ?? (isFree ? null : 'codeSpent')
    if (reason || !code || !places) {
      const said = reason ?? 'contentDiffers'
      refused.set(ask.orderId, said)
      told.push({ codeId, machineId: ask.machine.id, orderNo: ask.orderNo, reason: said })
      continue
    }
    locked.delete(codeId)
    uses.push({
      orderId: ask.orderId,
      codeId,
      merchantId: code.merchantId,
      machineId: ask.machine.id,
      orderNo: ask.orderNo,
      pickup: pickupOf(code),
      asked: places,
      heldAt: now,
    })
  }
  await insertUses(tx, uses)
  await announceCodes(
    tx,
    uses.map(({ codeId }) => codeId),
  )
  await keepRefusals(tx, told, now)
  return refused
}

type Settled = {
  orderId: number
  at: Date
  items: readonly { productId: number; isDispensed: boolean }[]
}

/**
 * What came of the orders that codes were held for: what came out is spent, the rest is free again. May be told again
 * when something came out late; orders without a code are passed over.
 */
export async function settleCodes(tx: Tx, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return
  const byOrder = new Map(settled.map((each) => [each.orderId, each]))
  const uses = await lockUses(tx, [...byOrder.keys()])
  // Two uses of one code in a batch: the second finds what the first left.
  const codes = new Map(uses.map((use) => [use.codeId, { state: use.state, taken: use.taken, shipped: use.shipped }]))
  const settlements = uses.flatMap((use): Settlement[] => {
    const { items = [], at } = byOrder.get(use.orderId) ?? {}
    if (!at) return []
    const dispensed = items.flatMap((item) => (item.isDispensed ? item.productId : []))
    const out = placesOut(use, use.content, dispensed)
    if (use.isSettled && out.length === use.out.length) return []
    const next = settleCode({ ...use, ...codes.get(use.codeId) }, use, out)
    codes.set(use.codeId, next)
    return [{ ...next, orderId: use.orderId, codeId: use.codeId, out, at }]
  })
  await writeSettled(tx, settlements)
  await announceCodes(
    tx,
    settlements.map(({ codeId }) => codeId),
  )
}
