import { addClaim, passClaim, rejectClaim } from '@aisle/contract/lottery/claim'
import { redeemPrize } from '@aisle/contract/lottery/prizeCode'
import { sql } from 'kysely'
import { prizeCodeOf } from '../../features/lottery/public'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import { claimNotes } from '../data/complaints'
import { nameFrom, phoneFrom, randomFrom, seedOf } from '../random'
import type { Past } from './within'

/** Claims of the last days still wait, or nobody has come yet. */
const WAITING_DAYS = 2

/** Prizes that machines kept that day: who has the code gets theirs; others claim with photos, at first in vain. */
export async function claimDay(past: Past, day: DemoDay): Promise<void> {
  const owed = await sql<{ orderNo: string; drawnAt: Date; picture: string }>`
    select p.order_no as "orderNo", p.drawn_at as "drawnAt", product.picture
    from lottery_play p join product on product.id = p.product_id
    where p.prize_state = 'owed' and p.business_day = ${day.day}::date and product.picture <> ''
      and p.drawn_at < ${new Date(day.startMs + DAY_MS)} order by p.drawn_at`.execute(past.tx)
  const codeOf = prizeCodeOf(past.services.keys)
  for (const { orderNo, drawnAt, picture } of owed.rows) {
    const random = randomFrom(seedOf(`${orderNo}/claim`))
    const isRecent = day.daysAgo < WAITING_DAYS
    if (isRecent && random.chance(0.3)) continue
    past.at(drawnAt.getTime() + random.between(10, 120) * 60_000)
    if (random.chance(0.4)) {
      await past.as('merchant', redeemPrize, { code: codeOf(orderNo), placeId: null })
      continue
    }
    const claim = {
      orderNo,
      claimant: nameFrom(random),
      phone: phoneFrom(random),
      note: random.pick(claimNotes),
      pictures: [picture],
    }
    const first = await past.as('merchant', addClaim, claim)
    if (isRecent) continue
    past.at(drawnAt.getTime() + random.between(3, 20) * HOUR_MS)
    const isRefused = random.chance(0.2)
    if (isRefused) await past.as('finance', rejectClaim, { id: first.id, reviewNote: '照片看不清订单号，请补拍。' })
    const { id } = isRefused ? await past.as('merchant', addClaim, claim) : first
    await past.as('finance', passClaim, { id, placeId: null, reviewNote: '凭证齐全，已当面交付。' })
  }
}
