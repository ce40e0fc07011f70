import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'

export type Factor = { secret: Buffer; since: Date; recoveryLeft: number }

export async function find(db: Reader, userId: number): Promise<Factor | undefined> {
  const found = await sql<Factor>`select secret, confirmed_at as since,
      (select count(*) from recovery_code c where c.user_id = f.user_id and c.used_at is null) as "recoveryLeft"
    from second_factor f where user_id = ${userId}`.execute(db)
  return found.rows[0]
}

/** @returns false when the user has one already */
export async function insert(
  tx: Tx,
  factor: { userId: number; secret: Buffer; step: number; at: Date },
): Promise<boolean> {
  const { userId, secret, step, at } = factor
  const made = await sql`insert into second_factor (user_id, secret, last_step, confirmed_at)
    values (${userId}, ${secret}, ${step}, ${at}) on conflict (user_id) do nothing`.execute(tx)
  return made.numAffectedRows === 1n
}

/** @returns whether there was one; its recovery codes go with it */
export async function remove(tx: Tx, userId: number): Promise<boolean> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(tx)
  const removed = await sql`delete from second_factor where user_id = ${userId}`.execute(tx)
  return removed.numAffectedRows === 1n
}

/** @returns false when a code of this time step or of a later one was taken already */
export async function takeStep(tx: Tx, userId: number, step: number): Promise<boolean> {
  const taken = await sql`update second_factor set last_step = ${step}
    where user_id = ${userId} and last_step < ${step}`.execute(tx)
  return taken.numAffectedRows === 1n
}

export async function takeRecoveryCode(tx: Tx, userId: number, codeHash: Buffer, now: Date): Promise<boolean> {
  const taken = await sql`update recovery_code set used_at = ${now}
    where user_id = ${userId} and code_hash = ${codeHash} and used_at is null`.execute(tx)
  return taken.numAffectedRows === 1n
}

/** The old ones no longer count. */
export async function putRecoveryCodes(tx: Tx, userId: number, codeHashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(tx)
  const codes = codeHashes.map((codeHash) => ({ userId, codeHash: codeHash.toString('hex') }))
  await sql`insert into recovery_code (user_id, code_hash)
    select c.user_id, decode(c.code_hash, 'hex')
    from ${rows('c', codes, { userId: 'bigint', codeHash: 'text' })}`.execute(tx)
}

/** A setup that was begun before is forgotten. */
export async function putSetup(tx: Tx, userId: number, secret: Buffer, expiresAt: Date): Promise<void> {
  await sql`insert into second_factor_setup (user_id, secret, expires_at) values (${userId}, ${secret}, ${expiresAt})
    on conflict (user_id) do update set secret = excluded.secret, expires_at = excluded.expires_at`.execute(tx)
}

export async function findSetup(db: Reader, userId: number, now: Date): Promise<Buffer | undefined> {
  const found = await sql<{ secret: Buffer }>`select secret from second_factor_setup
    where user_id = ${userId} and expires_at > ${now}`.execute(db)
  return found.rows[0]?.secret
}

export type Challenge = { userId: number; secret: Buffer | null; failures: number }

export async function insertChallenge(
  tx: Tx,
  challenge: { tokenHash: Buffer; userId: number; secret: Buffer | null; expiresAt: Date },
): Promise<void> {
  const { tokenHash, userId, secret, expiresAt } = challenge
  await sql`insert into second_factor_challenge (token_hash, user_id, secret, expires_at)
    values (${tokenHash}, ${userId}, ${secret}, ${expiresAt})`.execute(tx)
}

/** Whose it is, or was a moment ago: for who holds the person first and the challenge then. */
export async function userOfChallenge(tx: Tx, tokenHash: Buffer): Promise<number | undefined> {
  const found = await sql<{ id: number }>`
    select user_id as id from second_factor_challenge where token_hash = ${tokenHash}`.execute(tx)
  return found.rows[0]?.id
}

/** Held until the transaction ends, so that of two tries at once the second sees what came of the first. */
export async function lockChallenge(tx: Tx, tokenHash: Buffer, now: Date): Promise<Challenge | undefined> {
  const found = await sql<Challenge>`select user_id as "userId", secret, failures from second_factor_challenge
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now} for update`.execute(tx)
  return found.rows[0]
}

export async function failChallenge(tx: Tx, tokenHash: Buffer): Promise<void> {
  await sql`update second_factor_challenge set failures = failures + 1 where token_hash = ${tokenHash}`.execute(tx)
}

export async function useChallenge(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`update second_factor_challenge set used_at = ${now} where token_hash = ${tokenHash}`.execute(tx)
}
