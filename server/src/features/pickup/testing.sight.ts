import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'pickup-codes': 'machine',
    'pickup-batches': 'machine',
  },
  fields: {
    'pickup.listPickupCodes.batchId': 'pickup-batches',
    'pickup.addBatch.pointIds': 'points',
    'pickup.previewBatch.pointIds': 'points',
    // The caller's own, kept apart by the caller's id (pickup/people.test.ts).
    releaseId: null,
  },
  given: {
    'pickup.addBatch': { content: 'AA', quantity: 1, scope: 'machines', machineIds: [1] },
    'pickup.previewBatch': { content: 'AA', quantity: 1, scope: 'machines', machineIds: [1] },
    'pickup.releaseCodes': { use: 'print', fromSerial: 1, toSerial: 1 },
  },
  showsAbove: ['pickup.listContentProducts'],
  rows: {
    'pickup-batches': addPickupBatches,
    'pickup-codes': addPickupCodes,
  },
}

/** Two, for one of the branch's products at its first machine; one of them is cancelled by the walk. */
async function addPickupBatches(db: Reader, { merchantId, machines, mark, at, idOf }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into pickup_batch (merchant_id, description, scope, count, expires_at, created_by, created_at)
      select ${merchantId}, ${mark} || ' codes ' || n, 'machines', 2, ${at}::timestamptz + interval '10 days',
        ${await idOf('users')}, ${at} from generate_series(1, 2) n`,
  )
  const [machine] = machines
  await sql`insert into pickup_content (batch_id, position, product_id)
    select id, 0, ${machine?.slots[0]?.productId} from pickup_batch where merchant_id = ${merchantId}`.execute(db)
  await sql`insert into pickup_place (batch_id, machine_id)
    select id, ${machine?.id} from pickup_batch where merchant_id = ${merchantId}`.execute(db)
  return id
}

/** A cancelled code and one in force in each batch; what they say nobody knows, since the server alone can seal it. */
async function addPickupCodes(db: Reader, { merchantId, at }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into pickup_code (batch_id, merchant_id, serial, digest, sealed, tail, state,
          expires_at, pieces, created_at)
      select b.id, b.merchant_id, n, sha256((b.id || '/' || n)::text::bytea), '\\x00', '7ACD',
        case n when 1 then 'cancelled' else 'unused' end, b.expires_at, 1, ${at}
      from pickup_batch b, generate_series(1, 2) n where b.merchant_id = ${merchantId} order by b.id, n`,
  )
  await sql`update pickup_batch set state = 'ready' where merchant_id = ${merchantId}`.execute(db)
  return id
}
