import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import { DAY_MS, HOUR_MS } from './calendar'
import { givenNames, surnames } from './data/names'
import { idOf, type Ids } from './people'
import { randomFrom, seedOf } from './random'

/** Claims of the last days still wait, or nobody has come yet. */
const WAITING_DAYS = 5

const notes = [
  '奖品卡在出货口上方，顾客现场拍照。',
  '电机转动但未掉落，顾客出示付款记录。',
  '顾客次日持付款截图到服务台领取。',
  '弹簧末端未推出，补货员已取出原件。',
]

type Claim = {
  merchantId: number
  playId: number
  claimant: string
  phone: string
  note: string
  picture: string
  createdAt: Date
  state: string
  reviewedAt: Date | null
  reviewNote: string
}

/** Prizes that machines kept: most were handed out at the counter, some wait for a decision, one was refused first. */
export async function seedClaims(tx: Tx, users: Ids, now: Date): Promise<void> {
  const owed = await sql<{ id: number; merchantId: number; drawnAt: Date; picture: string | null }>`
    select p.id, p.merchant_id as "merchantId", p.drawn_at as "drawnAt", product.picture
    from lottery_play p join product on product.id = p.product_id where p.prize_state = 'owed' order by p.id`.execute(
    tx,
  )
  const random = randomFrom(seedOf('claims'))
  const [writer, reviewer] = [idOf(users, 'operator'), idOf(users, 'finance')]
  const claims = owed.rows.flatMap(({ id, merchantId, drawnAt, picture }, at): Claim[] => {
    const isRecent = now.getTime() - drawnAt.getTime() < WAITING_DAYS * DAY_MS
    // Every third winner of late has not come yet.
    if (!picture || (isRecent && at % 3 === 2)) return []
    const createdAt = new Date(drawnAt.getTime() + random.between(10, 150) * 60_000)
    const base = {
      merchantId,
      playId: id,
      claimant: `${random.pick(surnames)}${random.pick(givenNames)}`,
      phone: `138${random.between(10_000_000, 99_999_999)}`,
      note: random.pick(notes),
      picture,
      createdAt: createdAt < now ? createdAt : new Date(now.getTime() - 60_000),
    }
    if (isRecent) return [{ ...base, ...waiting }]
    const reviewedAt = new Date(base.createdAt.getTime() + random.between(2, 20) * HOUR_MS)
    const passed = { ...base, state: 'passed', reviewedAt, reviewNote: '凭证齐全，已当面交付。' }
    if (at % 6 !== 1) return [passed]
    return [{ ...base, state: 'rejected', reviewedAt, reviewNote: '照片看不清订单号，请补拍。' }, passed]
  })
  await sql`insert into lottery_claim (merchant_id, play_id, claimant, phone, note, pictures, state, created_by,
      created_at, reviewed_by, reviewed_at, review_note)
    select merchant_id, play_id, claimant, phone, note, array[picture], state, ${writer}, created_at,
      case when state <> 'pending' then ${reviewer}::bigint end, reviewed_at, review_note
    from ${rows('k', claims, {
      merchantId: 'bigint',
      playId: 'bigint',
      claimant: 'text',
      phone: 'text',
      note: 'text',
      picture: 'text',
      state: 'text',
      createdAt: 'timestamptz',
      reviewedAt: 'timestamptz',
      reviewNote: 'text',
    })}`.execute(tx)
  await sql`update lottery_play p set prize_state = 'collected' from lottery_claim k
    where k.play_id = p.id and k.state = 'passed'`.execute(tx)
  await sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference, user_id)
    select k.merchant_id, k.reviewed_at, p.product_id, 1, supplier.id, customer.id, 'free', 'claim/' || k.id,
      k.reviewed_by
    from lottery_claim k join lottery_play p on p.id = k.play_id
    join place supplier on supplier.merchant_id = k.merchant_id and supplier.kind = 'supplier'
    join place customer on customer.merchant_id = k.merchant_id and customer.kind = 'customer'
    where k.state = 'passed' order by k.id`.execute(tx)
}

const waiting = { state: 'pending', reviewedAt: null, reviewNote: '' }
