import type { MessageData } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { addDays, businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'

type Said<T extends 'log' | 'ad.play'> = {
  machine: { id: number; timeZone: string }
  occurredAt: Date
  data: MessageData<T>
}

/** Lines of logs, as they were said; droppable, so nobody waits for them. */
export async function keepLogs(tx: Tx, said: readonly Said<'log'>[]): Promise<void> {
  if (said.length === 0) return
  const chunks = said.map(({ machine, occurredAt, data: { level, lines } }) => ({
    machineId: machine.id,
    at: occurredAt,
    level,
    lines: JSON.stringify(lines),
  }))
  await sql`insert into machine_log (machine_id, at, level, lines)
    select machine_id, at, level, array(select jsonb_array_elements_text(lines))
    from ${rows('l', chunks, { machineId: 'bigint', at: 'timestamptz', level: 'text', lines: 'jsonb' })}`.execute(tx)
}

/** How far back a machine may tell of its days. */
const TOLD_DAYS = 7

/**
 * A machine says how often it played what on its day so far, or on one that is over; the largest it ever said holds.
 * A day that is yet to come, or long over, is of a clock that is wrong: nothing is made of it.
 */
export async function keepPlays(tx: Tx, said: readonly Said<'ad.play'>[]): Promise<void> {
  const plays = said.flatMap(({ machine, occurredAt, data }) => {
    const today = businessTime(occurredAt, machine.timeZone).day
    const day = data.day ?? today
    if (day > today || day < addDays(today, -TOLD_DAYS)) return []
    return data.ads.map(({ ad, plays: count, seconds }) => ({ machineId: machine.id, day, ad, count, seconds }))
  })
  if (plays.length === 0) return
  await sql`insert into machine_ad_day as d (machine_id, business_day, ad, plays, seconds)
    select machine_id, day, ad, max(count), max(seconds)
    from ${rows('p', plays, { machineId: 'bigint', day: 'date', ad: 'text', count: 'int', seconds: 'int' })}
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (machine_id, business_day, ad) do update
      set plays = greatest(d.plays, excluded.plays), seconds = greatest(d.seconds, excluded.seconds)`.execute(tx)
}
