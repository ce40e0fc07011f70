import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getRecallProof } from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { AuthKeys, QueryContext, Reader, Tx } from '../../../kernel/context'
import { must, only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { recallNo } from '../batch/batch.reads'
import { ofLine } from '../batch/batch.store'
import { FIRST_PROOF, proofHash } from './recall.proof.rules'

/** Signed once, when it is closed; each ties itself to the one before, so that none can be left out or exchanged. */
export async function sealRecall(tx: Tx, keys: AuthKeys, recallId: number, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('recall_proof', 0))`.execute(tx)
  const last = await sql<{ hash: Buffer }>`select hash from recall_proof order by id desc limit 1`.execute(tx)
  const before = last.rows[0]?.hash ?? FIRST_PROOF
  const record = await recordOf(tx, recallId)
  await sql`insert into recall_proof (recall_id, record, hash_before, hash, signed_at)
    values (${recallId}, ${record}, ${before}, ${proofHash(keys, before, record)}, ${now})`.execute(tx)
}

/** All that was done, a line a fact; of the places how many ended how, and a digest over each of them. */
async function recordOf(db: Reader, recallId: number): Promise<string> {
  const found = await sql<{ record: string }>`
    select jsonb_pretty(jsonb_build_object('recall', r.no, 'drill', r.is_drill, 'class', r.class, 'reason', r.reason,
      'product', p.code || ' ' || p.name, 'batch', b.number, 'expires', b.expires_on,
      'written', jsonb_build_object('by', w.account, 'at', r.created_at at time zone 'UTC'),
      'started', jsonb_build_object('by', s.account, 'at', r.started_at at time zone 'UTC',
        'due', r.due_at at time zone 'UTC'),
      'closed', jsonb_build_object('by', c.account, 'at', r.closed_at at time zone 'UTC', 'summary', r.summary),
      'places', (select jsonb_build_object('count', count(*), 'pulled', count(*) filter (where t.state = 'pulled'),
        'unreachable', count(*) filter (where t.state = 'unreachable'), 'book', coalesce(sum(t.book), 0),
        'pieces', coalesce(sum(t.pulled), 0), 'digest', ${targetsDigest}) from recall_target t
        where t.recall_id = r.id),
      'notes', (select coalesce(jsonb_agg(jsonb_build_object('kind', e.verb, 'at', e.at at time zone 'UTC',
        'note', e.note, 'pieces', e.quantity) order by e.id), '[]') from recall_event e
        where e.recall_id = r.id and e.verb in ('notice', 'return', 'disposal')))) as record
    from (select *, ${recallNo} as no from recall where id = ${recallId}) r
    join medicine_batch b on b.id = r.batch_id join product p on p.id = b.product_id
    left join app_user w on w.id = r.created_by left join app_user s on s.id = r.started_by
    left join app_user c on c.id = r.closed_by`.execute(db)
  return only(found).record
}

const targetsDigest = sql`encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', t.place_id, t.slot_code, t.book,
  t.pulled, t.state, extract(epoch from t.settled_at), t.note), chr(10) order by t.id), ''), 'UTF8')), 'hex')`

type Proof = OutputOf<typeof getRecallProof>
type Row = {
  id: number
  no: string
  record: string
  hashBefore: Buffer | null
  hash: Buffer | null
  signedAt: Date | null
  digest: string
}

export async function findProof(ctx: QueryContext, id: number): Promise<Proof | undefined> {
  const found =
    await sql<Row>`select r.id, r.no, coalesce(f.record, '') as record, f.hash_before as "hashBefore", f.hash,
      f.signed_at as "signedAt", (select ${targetsDigest} from recall_target t where t.recall_id = r.id) as digest
    from (select *, ${recallNo} as no from recall where id = ${id}) r left join recall_proof f on f.recall_id = r.id
    where ${ofLine(ctx, sql`r.merchant_id`)}`.execute(ctx.db)
  const [proof] = found.rows
  if (!proof) return undefined
  const { record, hash, hashBefore, signedAt, digest } = proof
  if (!hash || !hashBefore || !signedAt) return refuse('recall.unsigned', { no: proof.no })
  const isSigned = proofHash(ctx.services.keys, hashBefore, record).equals(hash)
  return {
    id: proof.id,
    no: proof.no,
    record,
    signedAt: signedAt.toISOString(),
    hash: hash.toString('hex'),
    hashBefore: hashBefore.equals(FIRST_PROOF) ? '' : hashBefore.toString('hex'),
    isWhole: isSigned && digestIn(record) === digest,
    madeOn: businessTime(signedAt, PLATFORM_TIME_ZONE).day,
  }
}

const digestIn = (record: string): string =>
  must(/"digest": "([0-9a-f]{64})"/.exec(record)?.[1], 'digest of a record that was signed')
