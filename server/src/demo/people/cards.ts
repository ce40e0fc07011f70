import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { postTransfers, topUpPostings, type Transfer } from '../../features/ledger/public'
import type { Worth } from '../../features/member/card.rules'
import type { Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { takeIds } from '../network/fleet'
import { randomFrom, seedOf } from '../random'

type Holder = { memberId: number | null; merchantId: number; registeredAt: Date; isPupil: boolean }
type Card = Holder & { id: number; physicalNo: string; type: string; state: string; paidIn: Worth; at: Date }

/** Beside the members' own, cards that nobody is named on: of visitors and of the desk. */
const NAMELESS = 4

/** Members' cards, and what was put on them before the first sale. */
export async function seedCards(tx: Tx, merchantIds: readonly number[], startMs: number): Promise<void> {
  const cards = await planCards(tx, merchantIds, startMs)
  for (const card of cards) fund(card)
  await insertCards(tx, cards)
  await insertTopUps(tx, cards)
}

/** Enough for some weeks; who pays in two hundred yuan is given a twentieth on top. */
function fund(card: Card): void {
  const random = randomFrom(seedOf(`card/${card.physicalNo}`))
  const paidInFen = card.state === 'not_activated' ? 0 : random.between(6, 30) * 5_000
  const wholeFen = Math.ceil(paidInFen / 5_000) * 5_000
  const giftFen = wholeFen >= 20_000 && card.type !== 'test' ? Math.floor(wholeFen / 2_000) * 100 : 0
  card.paidIn = { balanceFen: wholeFen, giftFen }
}

async function planCards(tx: Tx, merchantIds: readonly number[], startMs: number): Promise<Card[]> {
  const members = await sql<Holder>`
    select id as "memberId", merchant_id as "merchantId", registered_at as "registeredAt",
      parent_name <> '' as "isPupil"
    from member where merchant_id = any(${[...merchantIds]}::bigint[]) and state = 'active' order by id`.execute(tx)
  const nameless = merchantIds.flatMap((merchantId) =>
    Array.from(
      { length: NAMELESS },
      (): Holder => ({ memberId: null, merchantId, registeredAt: new Date(startMs - 30 * DAY_MS), isPupil: false }),
    ),
  )
  const holders = [...members.rows, ...nameless]
  const ids = await takeIds(tx, 'member_card', holders.length)
  return holders.map((holder, index) => {
    const random = randomFrom(seedOf(`card/${index}`))
    const type = holder.isPupil ? 'student' : random.chance(0.3) ? 'staff' : random.chance(0.04) ? 'test' : 'ordinary'
    const draw = random.next()
    // The desk's own are in force, so that what was paid by card finds one.
    const odd = draw < 0.04 ? 'not_activated' : draw < 0.07 ? 'locked' : draw < 0.1 ? 'lost' : 'active'
    return {
      ...holder,
      id: ids[index] ?? 0,
      physicalNo: (seedOf(`card/physical/${index}`) >>> 0).toString(16).padStart(8, '0'),
      type,
      state: holder.memberId === null ? 'active' : odd,
      paidIn: { balanceFen: 0, giftFen: 0 },
      at: new Date(startMs - random.between(1, 15) * DAY_MS - random.between(0, 40_000) * 1000),
    }
  })
}

async function insertCards(tx: Tx, cards: readonly Card[]): Promise<void> {
  const written = cards.map((card, index) => ({
    ...card,
    logicalNo: `K${String(600_001 + index * 3)}`,
    level: 1 + (index % 3),
    // What a pupil may spend a day is what parents asked for.
    singleMaxFen: card.type === 'student' ? 3_000 : 0,
    dailyAmountFen: card.type === 'student' ? 6_000 : 0,
    dailyCountLimit: card.type === 'student' ? 8 : 0,
    createdAt: card.registeredAt,
    activatedAt: card.state === 'not_activated' ? null : card.registeredAt,
  }))
  await sql`insert into member_card (id, merchant_id, member_id, physical_no, logical_no, type, level, state,
      daily_count_limit, single_max_fen, daily_amount_fen, created_at, activated_at)
    overriding system value select * from ${rows('c', written, {
      id: 'bigint',
      merchantId: 'bigint',
      memberId: 'bigint',
      physicalNo: 'text',
      logicalNo: 'text',
      type: 'text',
      level: 'smallint',
      state: 'text',
      dailyCountLimit: 'int',
      singleMaxFen: 'bigint',
      dailyAmountFen: 'bigint',
      createdAt: 'timestamptz',
      activatedAt: 'timestamptz',
    })}`.execute(tx)
}

async function insertTopUps(tx: Tx, cards: readonly Card[]): Promise<void> {
  const topped = cards.filter((card) => card.paidIn.balanceFen > 0)
  const ids = await takeIds(tx, 'member_card_top_up', topped.length)
  const written = topped.map((card, index) => ({
    id: ids[index] ?? 0,
    cardId: card.id,
    merchantId: card.merchantId,
    method: index % 3 === 0 ? 'alipay' : 'wechat',
    amountFen: card.paidIn.balanceFen,
    giftFen: card.paidIn.giftFen,
    at: card.at,
  }))
  await sql`insert into member_card_top_up (id, card_id, merchant_id, method, amount_fen, gift_fen, topped_up_at)
    overriding system value select * from ${rows('t', written, {
      id: 'bigint',
      cardId: 'bigint',
      merchantId: 'bigint',
      method: 'text',
      amountFen: 'bigint',
      giftFen: 'bigint',
      at: 'timestamptz',
    })}`.execute(tx)
  await postTransfers(tx, written.map(topUpTransfer))
}

const topUpTransfer = (topUp: {
  id: number
  cardId: number
  merchantId: number
  method: string
  amountFen: number
  giftFen: number
  at: Date
}): Transfer => ({
  kind: 'card_top_up',
  reference: String(topUp.id),
  merchantId: topUp.merchantId,
  postedAt: topUp.at,
  businessDay: new Date(topUp.at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10),
  postings: topUpPostings(topUp),
})
