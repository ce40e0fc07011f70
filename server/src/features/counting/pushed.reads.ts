import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

export type CountedSlot = { machineId: number; code: string; pieces: number; at: Date }

/** What was found in slots of the product that should stand there, as the machine is told it. */
export async function countedSlots(db: Reader, countId: number): Promise<CountedSlot[]> {
  const found = await sql<CountedSlot>`
    select s.machine_id as "machineId", s.code, sum(coalesce(l.second, l.counted))::int as pieces,
      max(coalesce(l.second_at, l.counted_at)) as at
    from stock_count_line l join slot s on s.place_id = l.place_id and s.product_id = l.product_id
    where l.count_id = ${countId} and s.machine_id is not null
    group by s.machine_id, s.code
    having count(*) = count(l.delta)`.execute(db)
  return found.rows
}
