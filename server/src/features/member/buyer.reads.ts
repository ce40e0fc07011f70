import type { CardType } from '@aisle/contract/member/card'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { findShown } from './card.store'

/** Who shows a card, as far as prices ask: a member, or a card that is nobody's. */
export type Buyer = { key: string; level: number; cardType: CardType; isFirst: boolean }
type Shown = { code: string | null; machine: { merchantId: number } }

/** Of cards that pay at all; whoever has bought and got the money back has not bought yet. */
export async function findBuyers<A extends Shown>(db: Reader, asks: readonly A[]): Promise<Map<A, Buyer>> {
  const ids = await findShown(
    db,
    asks.map(({ code, machine }, key) => ({ key, code: code ?? '', merchantId: machine.merchantId })),
  )
  if (ids.size === 0) return new Map()
  const found = await sql<Buyer & { id: number }>`
    select c.id, case when m.id is null then 'card/' || c.id else 'member/' || m.id end as key,
      coalesce(m.level, c.level)::int as level, c.type as "cardType",
      not exists (select from member_card_charge h join member_card own on own.id = h.card_id
        where (own.id = c.id or own.member_id = m.id)
          and h.credited_balance_fen + h.credited_gift_fen < h.balance_fen + h.gift_fen) as "isFirst"
    from member_card c left join member m on m.id = c.member_id
    where c.id = any(${[...ids.values()]}::bigint[]) and c.state = 'active'`.execute(db)
  const byId = new Map(found.rows.map(({ id, ...buyer }) => [id, buyer]))
  return new Map(
    asks.flatMap((ask, key): [A, Buyer][] => {
      const buyer = byId.get(ids.get(key) ?? Number.NaN)
      return buyer ? [[ask, buyer]] : []
    }),
  )
}
