import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

export type CodeMode = 'auto' | 'typed'
export type Challenge = { account: string; code: string; cnonce: string; snonce: string; origin: string }

export async function insert(
  db: Reader,
  challenge: { cid: string; code: string; mode: CodeMode; ip: string; expiresAt: Date },
): Promise<void> {
  const { cid, code, mode, ip, expiresAt } = challenge
  await sql`insert into sign_in_challenge (cid, code, mode, ip, expires_at)
    values (${cid}, ${code}, ${mode}, ${ip}, ${expiresAt})`.execute(db)
}

/** How many codes an address holds; counts no further than `most`. */
export async function countOf(db: Reader, ip: string, now: Date, most: number): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from (select from sign_in_challenge
      where ip = ${ip} and expires_at > ${now} limit ${sql.lit(most)}) as held`.execute(db)
  return found.rows[0]?.count ?? 0
}

/**
 * Ties a code to an account and its nonces, once.
 * @param mayBeAuto false where the account's failures demand that its code be typed
 * @returns whether there was such a code
 */
export async function bind(
  db: Reader,
  cid: string,
  to: Omit<Challenge, 'code'>,
  mayBeAuto: boolean,
  now: Date,
): Promise<boolean> {
  const bound = await sql`
    update sign_in_challenge
    set account = ${to.account}, cnonce = ${to.cnonce}, snonce = ${to.snonce}, origin = ${to.origin}
    where cid = ${cid} and account is null and not used and expires_at > ${now}
      and (mode = 'typed' or ${mayBeAuto})`.execute(db)
  return bound.numAffectedRows === 1n
}

/** One row, one use, however many ask at once. Null: unknown, used, expired, or never tied to an account. */
export async function burn(db: Reader, cid: string, now: Date): Promise<Challenge | null> {
  const burnt = await sql<{ [K in keyof Challenge]: Challenge[K] | null }>`
    update sign_in_challenge set used = true where cid = ${cid} and not used and expires_at > ${now}
    returning account, code, cnonce, snonce, origin`.execute(db)
  const row = burnt.rows[0]
  return row && isBound(row) ? row : null
}

const isBound = (row: { [K in keyof Challenge]: Challenge[K] | null }): row is Challenge =>
  Object.values(row).every((value) => value !== null)
