import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { codeAsTyped } from './code.rules'
import { offerOf } from './fill.rules'
import { loadPrescriptions, tieKey, tiesOf } from './fill.store'

export type Checked =
  | { refused: MessageRefusal }
  | { refused: null; medicines: { product: string; packs: number }[]; expiresAt: Date }

/** What a machine may sell on a prescription now, by the codes of products; nothing is held by asking. */
export async function checkPrescriptions(
  tx: Tx,
  asks: readonly { machineId: number; code: string; at: Date }[],
): Promise<Checked[]> {
  if (asks.length === 0) return []
  const codes = asks.map(({ code }) => codeAsTyped(code))
  const loaded = await loadPrescriptions(tx, sql`p.code = any(${codes}::text[])`)
  const byCode = new Map(loaded.map((each) => [each.code, each]))
  const known = asks.map(({ machineId }, i) => ({ machineId, prescription: byCode.get(codes[i] ?? '') }))
  const ties = await tiesOf(
    tx,
    known.flatMap(({ machineId, prescription }) =>
      prescription ? [{ machineId, prescriptionId: prescription.id }] : [],
    ),
  )
  const products = await sql<{ id: number; code: string }>`select id, code from product
    where id = any(${loaded.flatMap(({ lines }) => lines.map(({ productId }) => productId))}::bigint[])`.execute(tx)
  const productCodes = new Map(products.rows.map(({ id, code }) => [id, code]))
  return asks.map(({ at }, i): Checked => {
    const { machineId = 0, prescription } = known[i] ?? {}
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
