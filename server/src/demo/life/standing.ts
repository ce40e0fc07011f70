import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchants } from '../data/merchants'
import type { Planned } from '../network/fleet'
import { highGoMachines } from '../network/lottery'
import type { Held } from './held'
import { batchOf, type Selling } from './machineDay'

/** A machine as it is told of: what it sells, under which numbers, and what its customers hold. */
export type Standing = Selling & { id: number; merchantId: number; fillBatch: (slot: number) => string | undefined }
export type Network = readonly Standing[]

export async function standingOf(
  db: Reader,
  planned: readonly Planned[],
  { heldAt, at }: { heldAt: (machine: string) => Held; at: Date },
): Promise<Network> {
  const found = await sql<{ id: number; merchantId: number; code: string }>`
    select id, merchant_id as "merchantId", code from machine`.execute(db)
  const known = new Map(found.rows.map(({ code, ...ids }) => [code, ids]))
  const playing = highGoMachines(planned.map(({ machine }) => machine))
  const collecting = new Set(merchants.filter(({ collectsPayment }) => collectsPayment).map(({ code }) => code))
  return planned.flatMap(({ machine, slots }): Standing[] => {
    const ids = known.get(machine.code)
    if (!ids) return []
    const isPlaying = playing.has(machine.code)
    const about = { machine, slots, held: heldAt(machine.code), isPlaying }
    const fillBatch = (slot: number) => batchOf(slots[slot]?.product, at)
    return [{ ...about, ...ids, collectsPayment: collecting.has(machine.merchant), fillBatch }]
  })
}
