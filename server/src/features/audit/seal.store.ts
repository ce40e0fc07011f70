import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'

/** One process seals at a time; a second one finds nothing to do. */
const SEAL_LOCK = 4_217_016

export const takeLock = async (tx: Tx): Promise<boolean> => {
  const found = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${SEAL_LOCK}) as taken`.execute(tx)
  return found.rows[0]?.taken ?? false
}

export type Seal = { id: number; lastSeq: number; hash: Buffer }

export async function newestSeal(db: Reader): Promise<Seal | undefined> {
  const found = await sql<Seal>`
    select id, last_seq as "lastSeq", hash from audit_seal order by id desc limit 1`.execute(db)
  return found.rows[0]
}

/** @returns how many rows now wait in this seal, and the digest over theirs, in their order */
export async function linkPending(
  tx: Tx,
  sealId: number,
  afterSeq: number,
  most: number,
): Promise<{ rows: number; body: Buffer | null }> {
  const found = await sql<{ rows: number; body: Buffer | null }>`
    with due as (select log_id, at from audit_pending order by log_id limit ${sql.lit(most)}),
    linked as (
      insert into audit_link (seq, log_id, seal_id, digest)
      select ${afterSeq} + row_number() over (order by l.id), l.id, ${sealId}, audit_digest(l)
      from due join audit_log l on l.at = due.at and l.id = due.log_id
      returning seq, log_id, digest),
    done as (delete from audit_pending using linked where audit_pending.log_id = linked.log_id)
    select count(*)::int as rows, sha256(string_agg(digest, ''::bytea order by seq)) as body from linked`.execute(tx)
  return found.rows[0] ?? { rows: 0, body: null }
}

/** The row is made first, since links name it; `finish` gives it its hash. */
export async function begin(tx: Tx, lastSeq: number, now: Date): Promise<number> {
  const found = await sql<{ id: number }>`insert into audit_seal (last_seq, rows, hash, sealed_at)
    values (${lastSeq}, 1, '', ${now}) returning id`.execute(tx)
  return only(found).id
}

export async function finish(tx: Tx, seal: Seal & { rows: number }): Promise<void> {
  await sql`update audit_seal set last_seq = ${seal.lastSeq}, rows = ${seal.rows}, hash = ${seal.hash}
    where id = ${seal.id}`.execute(tx)
}

export const drop = async (tx: Tx, sealId: number): Promise<void> => {
  await sql`delete from audit_seal where id = ${sealId}`.execute(tx)
}

export type SealBody = Seal & { rows: number; linked: number; body: Buffer | null }

/** Seals with the digest over what is linked to them now. */
export async function sealsAfter(db: Reader, afterId: number, most: number): Promise<SealBody[]> {
  const found = await sql<SealBody>`
    select s.id, s.last_seq as "lastSeq", s.rows, s.hash, count(k.seq)::int as linked,
      sha256(string_agg(k.digest, ''::bytea order by k.seq)) as body
    from (select * from audit_seal where id > ${afterId} order by id limit ${sql.lit(most)}) s
    left join audit_link k on k.seal_id = s.id
    group by s.id, s.last_seq, s.rows, s.hash order by s.id`.execute(db)
  return found.rows
}

export type Mismatch = { logId: number; what: 'changed' | 'removed' | 'inserted' }

/** Rows against their links, for a range of ids: memory does not grow with the log. */
export async function mismatches(db: Reader, afterId: number, toId: number): Promise<Mismatch[]> {
  const found = await sql<Mismatch>`
    select coalesce(k.log_id, l.id) as "logId",
      case when l.id is null then 'removed' when k.log_id is null then 'inserted' else 'changed' end as what
    from (select * from audit_log where id > ${afterId} and id <= ${toId}) l
    full join (select log_id, digest from audit_link where log_id > ${afterId} and log_id <= ${toId}) k
      on k.log_id = l.id
    left join audit_pending p on p.log_id = l.id
    where (l.id is null or k.log_id is null or k.digest <> audit_digest(l)) and p.log_id is null
    order by 1 limit 1000`.execute(db)
  return found.rows
}

/** The widest span of ids that rows, links or waiting rows know. */
export async function idSpan(db: Reader): Promise<{ first: number; last: number; rows: number }> {
  const found = await sql<{ first: number; last: number; rows: number }>`
    select least((select min(id) from audit_log), (select min(log_id) from audit_link)) as first,
      greatest((select max(id) from audit_log), (select max(log_id) from audit_link)) as last,
      (select coalesce(max(last_seq), 0) from audit_seal) as rows`.execute(db)
  const row = found.rows[0]
  return { first: row?.first ?? 1, last: row?.last ?? 0, rows: row?.rows ?? 0 }
}

export async function pendingGone(db: Reader): Promise<number[]> {
  const found = await sql<{ id: number }>`select p.log_id as id from audit_pending p
    where not exists (select from audit_log l where l.id = p.log_id and l.at = p.at) limit 1000`.execute(db)
  return found.rows.map((row) => row.id)
}

export async function recordCheck(
  db: Reader,
  check: { about: 'log' | 'books'; now: Date; rows: number; problems: readonly string[] },
): Promise<void> {
  await sql`insert into audit_check (about, checked_at, rows, problems)
    values (${check.about}, ${check.now}, ${check.rows}, ${check.problems.slice(0, 100)}::text[])`.execute(db)
}

export type SealState = {
  sealedRows: number
  waitingRows: number
  sealedAt: Date | null
  checkedAt: Date | null
  checkedRows: number
  problems: number
}

export async function state(db: Reader): Promise<SealState> {
  const found = await sql<SealState>`
    select coalesce(s.last_seq, 0) as "sealedRows", (select count(*)::int from audit_pending) as "waitingRows",
      s.sealed_at as "sealedAt", c.checked_at as "checkedAt", coalesce(c.rows, 0) as "checkedRows",
      coalesce(cardinality(c.problems), 0) as problems
    from (select) one
    left join lateral (select * from audit_seal order by id desc limit 1) s on true
    left join lateral (select * from audit_check where about = 'log' order by id desc limit 1) c on true`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a state without a row')
  return row
}
