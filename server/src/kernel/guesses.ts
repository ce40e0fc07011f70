import { codeGuesses, codeGuessMinutes } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { iso } from '../db/instant'
import { rows } from '../db/rows'
import type { Reader, Tx } from './context'
import { answers } from './must'
import { settingOf } from './settings'

/** What is guessed at; each is counted by itself, so that who tries cards does not shut out who holds a code. */
type Guessed = { table: 'pickup_guess' | 'card_guess' | 'prescription_guess'; lock: number }
export const guessedCodes: Guessed = { table: 'pickup_guess', lock: 4_217_051 }
export const guessedCards: Guessed = { table: 'card_guess', lock: 4_217_052 }
export const guessedPrescriptions: Guessed = { table: 'prescription_guess', lock: 4_217_053 }

/** `known`: go on with it; `unknown`: nobody gave it out; `blocked`: guessed too often, so nothing is looked at. */
type Verdict = 'known' | 'unknown' | 'blocked'

/**
 * Counts what machines ask for that nobody gave out: so many in so long a time, then nothing is taken for as long
 * again, right or wrong (settings `pickup.wrongCodes`, `pickup.wrongCodeMinutes`). Whichever message asks counts on the
 * same tally. Guesses at a machine wait for what is asked there, and what is asked there for a guess under way, so that
 * guessing at once brings no more tries than guessing in turn; right ones never wait for each other. @returns one
 * verdict an ask
 */
export async function judgeGuesses<A extends { machineId: number; isKnown: boolean }>(
  tx: Tx,
  { table, lock }: Guessed,
  asks: readonly A[],
  now: Date,
): Promise<Map<A, Verdict>> {
  const ids = [...new Set(asks.map(({ machineId }) => machineId))].sort((a, b) => a - b)
  const wrong = new Set(asks.flatMap(({ machineId, isKnown }) => (isKnown ? [] : [machineId])))
  const noticed = await findTallies(tx, table, ids, now)
  const guessing = ids.filter((id) => wrong.has(id) || noticed.has(id))
  if (guessing.length === 0) return answers(asks, () => 'known')
  await lockTallies(
    tx,
    lock,
    guessing.map((id) => ({ id, isGuess: wrong.has(id) })),
  )
  const limit = await limitOf(tx)
  const before = await findTallies(tx, table, guessing, now)
  const fresh = new Map<number, number>()
  const verdicts = answers(asks, ({ machineId, isKnown }): Verdict => {
    const { misses = 0, isBlocked = false } = before.get(machineId) ?? {}
    const own = fresh.get(machineId) ?? 0
    if (isBlocked || misses + own >= limit.misses) return 'blocked'
    if (isKnown) return 'known'
    fresh.set(machineId, own + 1)
    return 'unknown'
  })
  await countMisses(tx, table, fresh, { limit, now })
  return verdicts
}

export type Blocks = Record<'codesBlockedUntil' | 'cardsBlockedUntil' | 'prescriptionsBlockedUntil', string | null>
const none: Blocks = { codesBlockedUntil: null, cardsBlockedUntil: null, prescriptionsBlockedUntil: null }

/** Until when a machine takes no codes, no cards or no prescriptions. */
export async function findBlocks(db: Reader, machineId: number, now: Date): Promise<Blocks> {
  const until = ({ table }: Guessed) => sql`(select ${iso('blocked_until')} from ${sql.table(table)}
    where machine_id = ${machineId} and blocked_until > ${now})`
  const found = await sql<Blocks>`select ${until(guessedCodes)} as "codesBlockedUntil",
    ${until(guessedCards)} as "cardsBlockedUntil",
    ${until(guessedPrescriptions)} as "prescriptionsBlockedUntil"`.execute(db)
  return found.rows[0] ?? none
}

/** Counting begins anew; who guesses at this moment waits. @returns what had been blocked until then */
export async function forgetGuesses(tx: Tx, machineId: number, now: Date): Promise<Blocks> {
  const all = [guessedCodes, guessedCards, guessedPrescriptions]
  for (const { lock } of all) await sql`select pg_advisory_xact_lock(${lock}, ${machineId}::int)`.execute(tx)
  const blocks = await findBlocks(tx, machineId, now)
  for (const { table } of all) {
    await sql`update ${sql.table(table)} set misses = 0, blocked_until = null
      where machine_id = ${machineId} and blocked_until > ${now}`.execute(tx)
  }
  return blocks
}

type Limit = { misses: number; minutes: number }
const limitOf = async (db: Reader): Promise<Limit> => ({
  misses: await settingOf(db, codeGuesses, null),
  minutes: await settingOf(db, codeGuessMinutes, null),
})

/** Until the transaction ends: whoever counts alone, whoever only reads beside others that read. @param asking by id */
async function lockTallies(tx: Tx, lock: number, asking: readonly { id: number; isGuess: boolean }[]): Promise<void> {
  await sql`select case when is_guess then pg_advisory_xact_lock(${lock}, id::int)
      else pg_advisory_xact_lock_shared(${lock}, id::int) end
    from ${rows('asking', asking, { id: 'bigint', isGuess: 'boolean' })}`.execute(tx)
}

/** Those that count now; what was counted in a time that is over is as good as nothing. */
async function findTallies(
  db: Reader,
  table: Guessed['table'],
  ids: readonly number[],
  now: Date,
): Promise<Map<number, { misses: number; isBlocked: boolean }>> {
  const found = await sql<{ id: number; misses: number; isBlocked: boolean }>`
    select machine_id as id, case when window_ends_at > ${now} then misses else 0 end as misses,
      coalesce(blocked_until > ${now}, false) as "isBlocked"
    from ${sql.table(table)} where machine_id = any(${[...ids]}::bigint[])
      and (window_ends_at > ${now} or blocked_until > ${now})`.execute(db)
  return new Map(found.rows.map(({ id, ...tally }) => [id, tally]))
}

async function countMisses(
  tx: Tx,
  table: Guessed['table'],
  fresh: ReadonlyMap<number, number>,
  { limit, now }: { limit: Limit; now: Date },
): Promise<void> {
  if (fresh.size === 0) return
  const counts = [...fresh].map(([machineId, n]) => ({ machineId, n })).sort((a, b) => a.machineId - b.machineId)
  const ends = new Date(now.getTime() + limit.minutes * 60_000)
  await sql`insert into ${sql.table(table)} as g (machine_id, misses, window_ends_at, blocked_until, blocks, last_at)
    select machine_id, n, ${ends}, case when n >= ${limit.misses}::int then ${ends}::timestamptz end,
      case when n >= ${limit.misses}::int then 1 else 0 end, ${now}
    from ${rows('c', counts, { machineId: 'bigint', n: 'int' })}
    on conflict (machine_id) do update set
      misses = case when g.window_ends_at > ${now} then g.misses + excluded.misses else excluded.misses end,
      window_ends_at = case when g.window_ends_at > ${now} then g.window_ends_at else ${ends} end,
      blocked_until = case
        when case when g.window_ends_at > ${now} then g.misses else 0 end + excluded.misses >= ${limit.misses}::int
        then ${ends}::timestamptz else g.blocked_until end,
      blocks = g.blocks + case
        when case when g.window_ends_at > ${now} then g.misses else 0 end + excluded.misses >= ${limit.misses}::int
          and (g.blocked_until is null or g.blocked_until <= ${now}) then 1 else 0 end,
      last_at = ${now}`.execute(tx)
}
