import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { Planned } from '../network/planned'
import type { Held } from './held'
import { batchOf, type Selling } from './machineDay'

/** A machine as it is told of: what it sells, under which numbers, and what its customers hold. */
export type Standing = Selling & { id: number; merchantId: number; fillBatch: (slot: number) => string | undefined }
export type Network = readonly Standing[]

export async function standingOf(
  db: Reader,
  network: readonly Planned[],
  { heldAt, at }: { heldAt: (machine: string) => Held; at: Date },
): Promise<Network> {
  const found = await sql<{ id: number; merchantId: number; code: string }>`
    select id, merchant_id as "merchantId", code from machine`.execute(db)
  const known = new Map(found.rows.map(({ code, ...ids }) => [code, ids]))
  return network.flatMap((planned): Standing[] => {
    const ids = known.get(planned.machine.code)
    const fillBatch = (slot: number) => batchOf(planned.slots[slot]?.product, at)
    return ids ? [{ ...planned, ...ids, held: heldAt(planned.machine.code), fillBatch }] : []
  })
}
