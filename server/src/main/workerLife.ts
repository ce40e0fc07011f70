import type { Client } from 'pg'
import { keepClient } from '../db/kept'
import type { Pool } from '../db/pool'

/** With a worker's name the key of a lock that its process holds as long as it lives. */
const LIFE_LOCK = 4_217_060

export type Life = { begins: (workerId: string) => void; ends: (workerId: string) => void; stop: () => Promise<void> }

/**
 * The database knows of each worker whether its process lives: it holds a lock in the worker's name, on a connection of
 * its own that ends with the process. A machine that lost its power closes nothing, so the database looks after it.
 */
export function keepLife(url: string): Life {
  const ids = new Set<string>()
  let client: Client | null = null
  const lock = (by: Client, id: string) => by.query('select pg_advisory_lock($1, hashtext($2))', [LIFE_LOCK, id])
  const kept = keepClient(url, {
    begin: async (fresh) => {
      await fresh.query('set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3')
      // Names that come meanwhile are walked, too.
      for (const id of ids) await lock(fresh, id)
      client = fresh
    },
    up: () => undefined,
    down: () => {
      client = null
    },
  })
  // A connection that is lost is begun again, with all names.
  let said: Promise<unknown> = Promise.resolve()
  const say = (text: string, id: string) => {
    said = said.then(() => client?.query(text, [LIFE_LOCK, id])).catch(() => undefined)
  }
  return {
    begins: (id) => {
      ids.add(id)
      say('select pg_advisory_lock($1, hashtext($2))', id)
    },
    ends: (id) => {
      ids.delete(id)
      say('select pg_advisory_unlock($1, hashtext($2))', id)
    },
    stop: kept.stop,
  }
}

/** Who holds a job and no lock in its own name. */
async function findSilent(pool: Pool['raw']): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct j.locked_by as id from graphile_worker.jobs j
    where j.locked_by is not null and not exists (
      select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and l.classid = $1::bigint::oid and l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid)`,
    [LIFE_LOCK],
  )
  return rows.map(({ id }) => id)
}

/**
 * Gives back the jobs of processes that were killed over them; the worker itself waits four hours before it believes
 * that. Who is silent twice in a row is dead: a living one has its connection back within a second.
 */
export function freeJobsOfTheKilled(pool: Pool['raw'], { everyMs, onError }: Sweep): { stop: () => void } {
  let suspects: readonly string[] = []
  const sweep = async () => {
    const silent = await findSilent(pool)
    const dead = silent.filter((id) => suspects.includes(id))
    suspects = silent
    if (dead.length > 0) await pool.query('select graphile_worker.force_unlock_workers($1)', [dead])
  }
  const timer = setInterval(() => void sweep().catch(onError), everyMs)
  return { stop: () => clearInterval(timer) }
}
type Sweep = { everyMs: number; onError: (cause: unknown) => void }
