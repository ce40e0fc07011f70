import type { Kysely } from 'kysely'
import type pg from 'pg'
import { openPool, type Pool } from './pool'
import type { Asking } from './prepared'
import type { Tables } from './tables'
import { waitUntil } from './wait'

export type Replica = {
  /** For figures; undefined while it is too far behind, or away: then the database itself answers. */
  reader: () => Kysely<Tables> | undefined
  /** Once it holds all that was committed at that moment; undefined where it does not come to that soon. */
  readerOf: (moment: Date) => Promise<Kysely<Tables> | undefined>
  /** Up to when it is known to hold everything. */
  holdsAllOf: () => Date | null
  stop: () => Promise<void>
}

export type Standing = {
  url: string
  max: number
  clock: { now: () => Date }
  warn: (text: string, cause?: unknown) => void
  asking?: Asking
  /** How often it is looked how far it is, and how far behind figures may be. */
  lookMs?: number
  mostMs?: number
}

const LOOK_MS = 1_000
const MOST_MS = 30_000
const WAIT_MS = 5_000
/** Some ten minutes of looking. */
const MOST_MARKS = 600

/**
 * A streaming replica. How far it is behind is measured by places in the log that the database itself wrote, each with
 * its time: a replica that is cut off takes itself for up to date.
 */
export function openReplica(primary: pg.Pool, standing: Standing): Replica {
  const { url, max, clock, warn, asking, lookMs = LOOK_MS, mostMs = MOST_MS } = standing
  const pool: Pool = openPool(url, max, () => undefined, asking)
  const marks: { at: Date; place: number }[] = []
  let heldAt: Date | null = null
  let wasFit = true

  const look = async () => {
    const at = clock.now()
    marks.push({ at, place: await placeIn(primary, `pg_current_wal_lsn()`) })
    if (marks.length > MOST_MARKS) marks.shift()
    const replayed = await placeIn(pool.raw, 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end')
    const held = marks.findLastIndex(({ place }) => place <= replayed)
    if (held >= 0) heldAt = marks[held]?.at ?? null
    // What lies before it is never asked for again.
    if (held > 0) marks.splice(0, held)
  }
  const reader = () => {
    const isFit = heldAt !== null && clock.now().getTime() - heldAt.getTime() <= mostMs
    if (wasFit && !isFit) warn('the replica of DATABASE_READ_URL is away or too far behind; reading from the database')
    wasFit = isFit
    return isFit ? pool.db : undefined
  }
  let looking: Promise<void> = Promise.resolve()
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    looking = look()
      .catch((cause: unknown) => (wasFit ? warn('the replica was not asked how far it is', cause) : undefined))
      .finally(() => {
        isLooking = false
      })
  }, lookMs)

  return {
    reader,
    readerOf: (moment) =>
      waitUntil(WAIT_MS, lookMs, () => (heldAt && heldAt >= moment && reader() ? pool.db : undefined)),
    holdsAllOf: () => heldAt,
    stop: async () => {
      clearInterval(timer)
      await looking
      await pool.close()
    },
  }
}

/** As a number, which places of a log are: bytes since its beginning. */
async function placeIn(pool: pg.Pool, place: string): Promise<number> {
  const found = await pool.query<{ place: number | null }>(
    `select pg_wal_lsn_diff(${place}, '0/0'::pg_lsn)::float8 as place`,
  )
  const bytes = found.rows[0]?.place
  if (bytes === null || bytes === undefined) throw new Error('this is no replica')
  return bytes
}
