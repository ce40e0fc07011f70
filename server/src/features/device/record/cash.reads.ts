import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

/** A box is told by its machine when it leaves, by a person at most so long before or after. */
const NEAR = sql`interval '30 minutes'`

/**
 * What a machine and its controller say of a box that was in it between two moments: the amount that the machine named
 * when it left, and what audit files count into it. Null where nothing was said, or the board was exchanged.
 */
export async function cashMeasured(
  db: Reader,
  { machineId, from, to }: { machineId: number; from: Date | null; to: Date },
): Promise<{ machineFen: number | null; controllerFen: number | null }> {
  const said = await sql<{ fen: number | null }>`select (data ->> 'fen')::int as fen from device_event
    where machine_id = ${machineId} and type = 'cash' and data ->> 'kind' = 'box_removed'
      and jsonb_typeof(data -> 'fen') = 'number' and received_at > ${to}::timestamptz - ${NEAR}
      and occurred_at between ${to}::timestamptz - ${NEAR} and ${to}::timestamptz + ${NEAR}
    order by abs(extract(epoch from occurred_at - ${to}::timestamptz)) limit 1`.execute(db)
  const [late, early] = [await boxAt(db, machineId, to), from && (await boxAt(db, machineId, from))]
  const isOneBoard = late && (!from || early?.epoch === late.epoch)
  return { machineFen: said.rows[0]?.fen ?? null, controllerFen: isOneBoard ? late.fen - (early?.fen ?? 0) : null }
}

/** Cash that went into boxes since the controller was set up, by the last file before that moment. */
async function boxAt(db: Reader, machineId: number, at: Date) {
  const found = await sql<{ epoch: number; fen: number | null }>`
    select epoch, (parsed -> 'totals' -> 'cash' ->> 'initFen')::int as fen from dex_read
    where machine_id = ${machineId} and fault is null and read_at <= ${at}
    order by read_at desc, id desc limit 1`.execute(db)
  const { epoch, fen = null } = found.rows[0] ?? {}
  return epoch === undefined || fen === null ? null : { epoch, fen }
}
