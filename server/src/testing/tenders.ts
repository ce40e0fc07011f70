import { sql } from 'kysely'
import { postTransfers, topUpPostings } from '../features/ledger/public'
import { makeCodes } from '../features/pickup/make.store'
import { aboutCode } from '../features/pickup/secret'
import { businessTime, PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import type { Services } from '../kernel/context'
import { unseal } from '../kernel/seal'

const DAY_MS = 86_400_000
let made = 0

/** A world of a test, or the database of a server that runs. */
type Issuer = { services: Pick<Services, 'db' | 'keys' | 'clock'> }

export type NewCodes = {
  merchantId: number
  /** Products, one for each piece of a pick-up. */
  content: readonly number[]
  pickups?: number
  count?: number
  scope?: 'all' | 'machines'
}

/** A batch of codes that hold for a day, in the order of their numbers. */
export async function issueCodes({ services }: Issuer, batch: NewCodes): Promise<{ batchId: number; codes: string[] }> {
  const { db, keys, clock } = services
  const { merchantId, content, pickups = 1, count = 1, scope = 'all' } = batch
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + DAY_MS)
  const inserted = await sql<{ id: number }>`insert into pickup_batch (merchant_id, description, pickups_allowed, scope,
      count, expires_at, created_at)
    values (${merchantId}, 'Test', ${pickups}, ${scope}, ${count}, ${expiresAt}, ${now}) returning id`.execute(db)
  const batchId = inserted.rows[0]?.id ?? 0
  await sql`insert into pickup_content (batch_id, position, product_id)
    select ${batchId}, n - 1, id from unnest(${[...content]}::bigint[]) with ordinality each(id, n)`.execute(db)
  await db.transaction().execute((tx) => makeCodes(tx, keys, batchId, now))
  const found = await sql<{ digest: Buffer; sealed: Buffer }>`select digest, sealed from pickup_code
    where batch_id = ${batchId} order by serial`.execute(db)
  return { batchId, codes: found.rows.map(({ digest, sealed }) => unseal(keys, aboutCode(digest), sealed)) }
}

export type NewCard = {
  merchantId: number
  balanceFen?: number
  giftFen?: number
  dailyCount?: number
  singleMaxFen?: number
  state?: string
  type?: string
}

/** A card with something on it that came in through WeChat. */
export async function issueCard({ services }: Issuer, card: NewCard): Promise<{ cardId: number; physicalNo: string }> {
  const { db, clock } = services
  const { merchantId, balanceFen = 1_000, giftFen = 0, state = 'active', type = 'ordinary' } = card
  const { dailyCount = 0, singleMaxFen = 0 } = card
  const now = clock.now()
  made += 1
  const physicalNo = (0x10000000 + made).toString(16)
  const inserted = await sql<{ id: number }>`insert into member_card (merchant_id, physical_no, logical_no, type, state,
      daily_count_limit, single_max_fen, created_at)
    values (${merchantId}, ${physicalNo}, ${`K${physicalNo.toUpperCase()}`}, ${type}, ${state}, ${dailyCount},
      ${singleMaxFen}, ${now}) returning id`.execute(db)
  const cardId = inserted.rows[0]?.id ?? 0
  if (balanceFen === 0) return { cardId, physicalNo }
  await db.transaction().execute((tx) =>
    postTransfers(tx, [
      {
        kind: 'card_top_up',
        reference: `test/${cardId}`,
        merchantId,
        postedAt: now,
        businessDay: businessTime(now, PLATFORM_TIME_ZONE).day,
        postings: topUpPostings({ cardId, merchantId, method: 'wechat', amountFen: balanceFen, giftFen }),
      },
    ]),
  )
  return { cardId, physicalNo }
}
