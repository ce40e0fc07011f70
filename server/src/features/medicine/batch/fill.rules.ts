import type { BatchFacts } from '@aisle/contract/medicine/batchState'

export type Standing = Pick<BatchFacts, 'expiresOn'> & { batch: string | null }
export type FillFault =
  | { cause: 'batch_order'; ahead: string; behind: string }
  | { cause: 'batch_mixed'; batches: string }

/**
 * What is wrong with the order in a slot: first expiry has to go out first, and a slot of medicine holds one batch
 * (GSP 83: no mixed lots in a stack). Null where it is as it should be, or nobody knows better.
 */
export function fillFault(layers: readonly Standing[]): FillFault | null {
  const named = layers.flatMap(({ batch, expiresOn }) => (batch === null ? [] : [{ batch, expiresOn }]))
  for (const [at, layer] of named.entries()) {
    const { expiresOn } = layer
    const sooner = named.slice(at + 1).find((next) => expiresOn !== null && (next.expiresOn ?? '9') < expiresOn)
    if (sooner) return { cause: 'batch_order', ahead: layer.batch, behind: sooner.batch }
  }
  const batches = [...new Set(named.map(({ batch }) => batch))]
  return batches.length > 1 ? { cause: 'batch_mixed', batches: batches.join(', ') } : null
}
