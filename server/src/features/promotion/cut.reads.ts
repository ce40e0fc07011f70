import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { Cut } from './price.rules'

/** What these slots are marked down to at this time, by their ids; the server prices, whatever a machine shows. */
export async function findCuts(db: Reader, slotIds: readonly number[], now: Date): Promise<Map<number, Cut>> {
  if (slotIds.length === 0) return new Map()
  const found = await sql<Cut & { slotId: number }>`
    select s.id as "slotId", k.id as "markdownId", k.paid_percent as "paidPercent", k.reason
    from markdown_slot c join markdown k on k.id = c.markdown_id join slot s on s.id = c.slot_id
    where c.slot_id = any(${[...new Set(slotIds)]}::bigint[]) and c.ended_at is null and k.state = 'active'
      and (k.ends_at is null or k.ends_at > ${now}) and s.price_fen > 0 and s.product_id = k.product_id
      and (k.batch_id is null or exists (
        select from medicine_batch b join batch_level l on l.product_id = b.product_id and l.batch = b.number
        where b.id = k.batch_id and l.place_id = s.place_id and l.quantity > 0))`.execute(db)
  return new Map(found.rows.map(({ slotId, ...cut }) => [slotId, cut]))
}

/** Of slot `s` of the statement, while something makes it cheaper for whoever stands before it: `o` says how. */
const ofOffer = (what: RawBuilder<unknown>) => sql`(
  select ${what} from slot_offer o where o.slot_id = s.id and o.product_id = s.product_id and s.price_fen > 0)`

/** What a machine may show for slot `s`: its price, less what anybody gets off it. */
export const shownFen = sql<
  number | null
>`coalesce(${ofOffer(sql`offered_fen(s.price_fen, o.kinds, o.amounts)`)}, s.price_fen)`

/** By offer `o` of slot `s`: what holders of cards pay from so much on, where that is less than what anybody does. */
export const memberOfferFen = sql<number | null>`case when o.member_kinds is null then null
  when offered_fen(s.price_fen, o.member_kinds, o.member_amounts) < offered_fen(s.price_fen, o.kinds, o.amounts)
  then offered_fen(s.price_fen, o.member_kinds, o.member_amounts) end`
export const memberFen = sql<number | null>`${ofOffer(memberOfferFen)}`

/** And what it may strike through beside that; nothing where it isn't cheaper, or was sold for less lately. */
const least = sql`least(o.struck_fen, s.price_fen)`
export const struckFen = sql<number | null>`${ofOffer(
  sql`case when o.struck_fen is not null and ${least} > offered_fen(s.price_fen, o.kinds, o.amounts) then ${least} end`,
)}`
