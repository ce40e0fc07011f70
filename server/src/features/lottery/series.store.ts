import { randomBytes } from 'node:crypto'
import { seedHashOf } from '@aisle/contract/lottery/draw'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { seal, unseal } from '../../kernel/seal'

export type Wanted = { merchantId: number; machineId: number; businessDay: string }
export type Series = { id: number; machineId: number; businessDay: string; isRevealed: boolean }

const about = ({ machineId, businessDay }: { machineId: number; businessDay: string }) =>
  `lottery:${machineId}:${businessDay}`

/** Commits a seed for each machine and day that has none: its hash is readable from now on, the seed is not. */
export async function commitSeeds(tx: Tx, keys: AuthKeys, wanted: readonly Wanted[], now: Date): Promise<void> {
  const missing = await withoutSeries(tx, wanted)
  if (missing.length === 0) return
  const series = missing.map((each) => {
    const seed = randomBytes(32).toString('hex')
    return { ...each, seedHash: seedHashOf(seed), sealed: seal(keys, about(each), seed) }
  })
  await sql`insert into lottery_series (merchant_id, machine_id, business_day, seed_hash, sealed_seed, committed_at)
    select merchant_id, machine_id, business_day, seed_hash, sealed, ${now}
    from ${rows('s', series, {
      merchantId: 'bigint',
      machineId: 'bigint',
      businessDay: 'date',
      seedHash: 'text',
      sealed: 'bytea',
    })} order by machine_id, business_day on conflict (machine_id, business_day) do nothing`.execute(tx)
}

async function withoutSeries(db: Reader, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const known = new Set((await findSeries(db, wanted)).map(about))
  return [...new Map(wanted.map((each) => [about(each), each])).values()].filter((each) => !known.has(about(each)))
}

const columns = sql`s.id, s.machine_id as "machineId", to_char(s.business_day, 'YYYY-MM-DD') as "businessDay",
  s.revealed_at is not null as "isRevealed"`

async function findSeries(db: Reader, wanted: readonly Wanted[]): Promise<Series[]> {
  const found = await sql<Series>`select ${columns}
    from ${rows('w', wanted, { machineId: 'bigint', businessDay: 'date' })}
    join lottery_series s on s.machine_id = w.machine_id and s.business_day = w.business_day`.execute(db)
  return found.rows
}

/** Held until the end of the transaction, so that none is revealed while plays are opened on it. */
export async function shareSeries(tx: Tx, wanted: readonly Wanted[]): Promise<Series[]> {
  const ids = [...new Set((await findSeries(tx, wanted)).map(({ id }) => id))]
  const found = await sql<Series>`select ${columns} from lottery_series s
    where s.id = any(${ids}::bigint[]) order by s.id for share`.execute(tx)
  return found.rows
}

/** @returns seeds in hex, by series */
export async function openSeeds(db: Reader, keys: AuthKeys, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await sql<Series & { sealed: Buffer }>`
    select ${columns}, s.sealed_seed as sealed from lottery_series s
    where s.id = any(${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, unseal(keys, about(row), row.sealed)]))
}

/** Seeds of days that are over, without a play that is still open; the database checks each against its hash. */
export async function revealSeeds(tx: Tx, keys: AuthKeys, now: Date): Promise<number> {
  const due = await sql<{ id: number }>`select s.id from lottery_series s join machine m on m.id = s.machine_id
    where s.revealed_at is null
      and s.business_day < (${now}::timestamptz at time zone m.time_zone - interval '15 minutes')::date
      and not exists (select 1 from lottery_play p where p.series_id = s.id and p.state = 'opened')
    order by s.id limit 2000 for update of s skip locked`.execute(tx)
  const seeds = await openSeeds(
    tx,
    keys,
    due.rows.map(({ id }) => id),
  )
  if (seeds.size === 0) return 0
  const revealed = [...seeds].map(([id, seed]) => ({ id, seed }))
  await sql`update lottery_series s set seed = r.seed, revealed_at = ${now}
    from ${rows('r', revealed, { id: 'bigint', seed: 'text' })} where s.id = r.id`.execute(tx)
  return seeds.size
}
