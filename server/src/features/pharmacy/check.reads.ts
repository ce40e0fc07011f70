import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { answers } from '../../kernel/must'
import { codeAsTyped } from './code.rules'
import { offerOf } from './fill.rules'
import { loadPrescriptions, tieKey, tiesOf } from './fill.store'

export type Checked =
  | { refused: MessageRefusal }
  | { refused: null; medicines: { product: string; packs: number }[]; expiresAt: Date }

type Ask = { machineId: number; code: string; at: Date }

/** What a machine may sell on a prescription now, by the codes of products; nothing is held by asking. */
export async function checkPrescriptions<A extends Ask>(tx: Tx, asks: readonly A[]): Promise<Map<A, Checked>> {
  if (asks.length === 0) return new Map()
  const typed = asks.map(({ machineId, code }) => ({ machineId, code: codeAsTyped(code) }))
  const loaded = await loadPrescriptions(tx, sql`p.code = any(${typed.map(({ code }) => code)}::text[])`)
  const byCode = new Map(loaded.map((each) => [each.code, each]))
  const ties = await tiesOf(
    tx,
    typed.flatMap(({ machineId, code }) => {
      const prescription = byCode.get(code)
      return prescription ? [{ machineId, prescriptionId: prescription.id }] : []
    }),
  )
  const products = await sql<{ id: number; code: string }>`select id, code from product
    where id = any(${loaded.flatMap(({ lines }) => lines.map(({ productId }) => productId))}::bigint[])`.execute(tx)
  const productCodes = new Map(products.rows.map(({ id, code }) => [id, code]))
  return answers(asks, ({ machineId, code, at }): Checked => {
    const prescription = byCode.get(codeAsTyped(code))
    const isTied = prescription !== undefined && ties.has(tieKey(machineId, prescription.id))
    const offer = offerOf(isTied ? prescription : undefined, at)
    if (offer.refused !== null || !prescription) return { refused: offer.refused ?? 'prescriptionUnknown' }
    const medicines = offer.medicines.map(({ productId, packs }) => ({
      product: productCodes.get(productId) ?? '',
      packs,
    }))
    return { refused: null, medicines, expiresAt: prescription.expiresAt }
  })
}
