import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../db/tables'
import type { Reader, Tx } from '../../kernel/context'
import { dayAtHome, endOf, midnight } from '../../kernel/platformDays'

/** The first day of the books that is not closed; null while nothing was ever posted. */
export async function nextDay(db: Reader): Promise<string | null> {
  const found = await sql<{ day: string | null }>`select to_char(coalesce(
      (select max(day) + 1 from ledger_day),
      (select ${dayAtHome(sql`min(posted_at)`)} from ledger_entry)), 'YYYY-MM-DD') as day`.execute(db)
  return found.rows[0]?.day ?? null
}

/**
 * From now on nothing comes into the day. Writers that are under way are waited for, and those that follow wait for
 * this moment alone: the hash is made afterwards.
 */
export async function closeDay(db: Kysely<Tables>, day: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table ledger_entry in share row exclusive mode`.execute(tx)
    await sql`insert into ledger_day (day, closed_at) values (${day}::date, ${now}) on conflict do nothing`.execute(tx)
  })
  await db.transaction().execute((tx) => seal(tx, day, now))
}

async function seal(tx: Tx, day: string, now: Date): Promise<void> {
  const open = await sql`select 1 from ledger_day where day = ${day}::date and hash is null for update`.execute(tx)
  if (open.rows.length === 0) return
  const before = await sql<{ hash: Buffer }>`select hash from ledger_day where day < ${day}::date and hash is not null
    order by day desc limit 1`.execute(tx)
  const previous = before.rows[0]?.hash ?? Buffer.alloc(32)
  const { hash, entries, debitFen } = await hashOf(tx, entriesOf(day), previous)
  await sql`update ledger_day set sealed_at = ${now}, entries = ${entries}, debit_fen = ${debitFen},
    previous = ${previous}, hash = ${hash} where day = ${day}::date`.execute(tx)
}

type Hashed = { hash: Buffer; entries: number; debitFen: number }

const entriesOf = (day: string) => sql`e.posted_at >= ${midnight(day)} and e.posted_at < ${endOf(day)}`

/** Each hour's entries with all that they say, then the hours of the day, tied to the day before. */
async function hashOf(db: Reader, which: RawBuilder<unknown>, previous: Buffer): Promise<Hashed> {
  const found = await sql<Hashed>`
    with hours as (
      select date_trunc('hour', e.posted_at) as hour, count(*) as entries,
        sum(e.amount_fen) filter (where e.amount_fen > 0) as debit,
        sha256(convert_to(string_agg(concat_ws('|', t.kind, t.reference, t.business_day, a.kind, a.merchant_id, a.key,
          e.amount_fen, extract(epoch from e.posted_at)), e'\\n'
          order by e.posted_at, e.transfer_id, e.account_id), 'UTF8')) as hash
      from ledger_entry e join ledger_transfer t on t.id = e.transfer_id join ledger_account a on a.id = e.account_id
      where ${which}
      group by 1)
    select coalesce(sum(entries), 0)::bigint as entries, coalesce(sum(debit), 0)::bigint as "debitFen",
      sha256(${previous}::bytea || coalesce(string_agg(hash, ''::bytea order by hour), ''::bytea)) as hash
    from hours`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('an aggregate without a row')
  return row
}

export type SealedDay = { day: string; hash: string }

/** The last day of the books that is sealed; the hash in hexadecimal. */
export async function lastSealed(db: Reader): Promise<SealedDay | null> {
  const found = await sql<SealedDay>`select to_char(day, 'YYYY-MM-DD') as day, encode(hash, 'hex') as hash
    from ledger_day where hash is not null order by day desc limit 1`.execute(db)
  return found.rows[0] ?? null
}

/** All of the ledger in one hash: the last sealed day's, which holds those before, and what was posted since. */
export async function booksHash(db: Reader): Promise<{ hash: Buffer; entries: number }> {
  const sealed = await lastSealed(db)
  const since = sealed ? sql`e.posted_at >= ${endOf(sealed.day)}` : sql`true`
  const { hash } = await hashOf(db, since, sealed ? Buffer.from(sealed.hash, 'hex') : Buffer.alloc(32))
  const counted = await sql<{ entries: number }>`select count(*) as entries from ledger_entry`.execute(db)
  return { hash, entries: counted.rows[0]?.entries ?? 0 }
}

/** Sealed days whose entries or whose tie to the day before are not what the seal says. */
export async function brokenBookDays(db: Reader): Promise<string[]> {
  const days = await sql<{ day: string; previous: Buffer; hash: Buffer; debitFen: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, previous, hash, debit_fen as "debitFen"
    from ledger_day where hash is not null and previous is not null and debit_fen is not null order by day`.execute(db)
  const broken: string[] = []
  let before: Buffer = Buffer.alloc(32)
  for (const { day, previous, hash } of days.rows) {
    if (!previous.equals(before)) broken.push(`the books of ${day} are not tied to the day before`)
    const now = await hashOf(db, entriesOf(day), previous)
    if (!now.hash.equals(hash)) broken.push(`the books of ${day} are not as they were sealed`)
    before = hash
  }
  return broken
}
