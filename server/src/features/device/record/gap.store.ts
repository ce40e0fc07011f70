import { sql } from 'kysely'
import { rows, valuesOf } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import { grouped } from '../../../kernel/must'
import { type Counted, counting, type Said, without } from './gap.rules'

export type Numbered = Said & { machineId: number }
type Open = { id: number; machineId: number; bootId: string; first: number; last: number }

/** How far each machine has counted; what it passed over opens a gap, and what comes late fills one. */
export async function countMessages(tx: Tx, messages: readonly Numbered[], now: Date): Promise<void> {
  const byMachine = grouped(messages, ({ machineId }) => machineId)
  const machineIds = [...byMachine.keys()].sort((a, b) => a - b)
  if (machineIds.length === 0) return
  const known = await findTops(tx, machineIds)
  const tops: (Counted & { machineId: number; isReturn: boolean })[] = []
  const opened: Omit<Open, 'id'>[] = []
  const late: Numbered[] = []
  for (const machineId of machineIds) {
    const found = counting(known.get(machineId) ?? null, byMachine.get(machineId) ?? [])
    if (found.top) tops.push({ machineId, ...found.top, isReturn: found.isReturn })
    opened.push(...found.opened.map((gap) => ({ machineId, ...gap })))
    late.push(...found.late.map((each) => ({ machineId, ...each })))
  }
  await keepTops(tx, tops, now)
  await openGaps(tx, opened, now)
  await fillGaps(tx, late, now)
}

/** Returns that are far apart are no quarrel of two machines over one code. */
const RETURNS_WITHIN_MS = 10 * 60_000

async function keepTops(
  tx: Tx,
  tops: readonly (Counted & { machineId: number; isReturn: boolean })[],
  now: Date,
): Promise<void> {
  const recent = new Date(now.getTime() - RETURNS_WITHIN_MS)
  await sql`insert into machine_seq as q (machine_id, boot_id, top_seq, previous_boot, returns, returned_at)
    select machine_id, boot_id, top, previous, is_return::int, case when is_return then ${now}::timestamptz end
    from ${rows('t', tops, {
      machineId: 'bigint',
      bootId: 'text',
      top: 'bigint',
      previous: 'text',
      isReturn: 'boolean',
    })}
    on conflict (machine_id) do update set boot_id = excluded.boot_id, top_seq = excluded.top_seq,
      previous_boot = excluded.previous_boot,
      returns = case when excluded.returned_at is null then q.returns
        when q.returned_at > ${recent} then q.returns + 1 else 1 end,
      returned_at = coalesce(excluded.returned_at, q.returned_at)
    where (q.boot_id, q.top_seq) is distinct from (excluded.boot_id, excluded.top_seq)`.execute(tx)
}

async function findTops(tx: Tx, machineIds: readonly number[]): Promise<Map<number, Counted>> {
  const found = await sql<Counted & { machineId: number }>`
    select q.machine_id as "machineId", q.boot_id as "bootId", q.top_seq as top, q.previous_boot as previous
    from ${valuesOf('w', 'id', 'bigint', machineIds)} join machine_seq q on q.machine_id = w.id`.execute(tx)
  return new Map(found.rows.map(({ machineId, ...counted }) => [machineId, counted]))
}

async function openGaps(tx: Tx, gaps: readonly Omit<Open, 'id'>[], now: Date): Promise<void> {
  if (gaps.length === 0) return
  await sql`insert into message_gap (machine_id, boot_id, first_seq, last_seq, opened_at)
    select machine_id, boot_id, first, last, ${now} from ${rows('g', gaps, {
      machineId: 'bigint',
      bootId: 'text',
      first: 'bigint',
      last: 'bigint',
    })}`.execute(tx)
}

/** A number that comes late closes its gap or makes it smaller; what is left on its other side is a gap of its own. */
async function fillGaps(tx: Tx, late: readonly Numbered[], now: Date): Promise<void> {
  if (late.length === 0) return
  const columns = { machineId: 'bigint', bootId: 'text', seq: 'bigint' } as const
  const found = await sql<Open & { seq: number }>`
    select g.id, g.machine_id as "machineId", g.boot_id as "bootId", g.first_seq as first, g.last_seq as last, l.seq
    from ${rows('l', late, columns)} join message_gap g on g.machine_id = l.machine_id and g.boot_id = l.boot_id
      and l.seq between g.first_seq and g.last_seq and g.ended_at is null`.execute(tx)
  for (const touched of grouped(found.rows, ({ id }) => id).values()) {
    const [gap] = touched
    if (!gap) continue
    const left = touched.reduce(
      (rest, { seq }) => rest.flatMap((each) => without(each, seq)),
      [{ first: gap.first, last: gap.last }],
    )
    const [kept, ...others] = left
    await (kept
      ? sql`update message_gap set first_seq = ${kept.first}, last_seq = ${kept.last} where id = ${gap.id}`.execute(tx)
      : sql`update message_gap set ended_at = ${now}, is_filled = true where id = ${gap.id}`.execute(tx))
    await openGaps(
      tx,
      others.map((each) => ({ machineId: gap.machineId, bootId: gap.bootId, ...each })),
      now,
    )
  }
}

const DAY_MS = 86_400_000

/** Critical messages are sent until they are acknowledged: what has not come in a day was never one. */
export async function giveUpGaps(db: Reader, now: Date): Promise<void> {
  await sql`update message_gap set ended_at = ${now}
    where ended_at is null and opened_at < ${new Date(now.getTime() - DAY_MS)}`.execute(db)
  await sql`delete from message_gap where ended_at < ${new Date(now.getTime() - 90 * DAY_MS)}`.execute(db)
}
