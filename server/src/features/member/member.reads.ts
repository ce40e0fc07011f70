import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { cardState } from '@aisle/contract/member/card'
import {
  type getMember,
  type listMembers,
  type Member,
  memberState,
  type summariseMembers,
} from '@aisle/contract/member/member'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listMembers>

/** Registered with, or tied to, a merchant in sight. @param m the alias of `member` */
export const memberInSight = (sight: Sight): RawBuilder<boolean> =>
  sight.kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${merchantInSight(sight, sql`m.merchant_id`)} or m.id in (select member_id from member_merchant tie
        where tie.unlinked_at is null and ${merchantInSight(sight, sql`tie.merchant_id`)}))`

/** By number, name or how it sounds; by a phone only whole. */
export const memberFoundAs = (typed: string) => sql`
  select m.id from member m where ${holdsAny([sql`m.number`, sql`m.name`, sql`m.sound`], typed)}
  union all select m.id from member m where m.phone = ${typed} and m.phone <> ''`

const openTies = (sight: Sight) => sql`from member_merchant tie join merchant c on c.id = tie.merchant_id
  where tie.member_id = m.id and tie.unlinked_at is null and ${merchantInSight(sight, sql`c.id`)}`

const rowsInSight = (sight: Sight): RawBuilder<Member> => sql`
  select m.id, m.number, m.name, m.phone, m.address, m.parent_name as "parentName", m.region, m.state, m.level, m.tags,
    m.birthday, m.unit_id as "unitId", coalesce(unit.name, '') as "unitName", m.merchant_id as "merchantId",
    (select count(*)::int from member_card k where k.member_id = m.id
      and k.state in ${statesIn(cardState, 'uncancelled')}
      and ${merchantInSight(sight, sql`k.merchant_id`)}) as "cardCount",
    m.consented_at, m.registered_at, to_json(m.registered_at) #>> '{}' as "registeredAt",
    coalesce((select string_agg(c.name, ' · ' order by tie.linked_at) ${openTies(sight)}), '') as merchants,
    (select count(*)::int ${openTies(sight)}) as "merchantCount"
  from member m left join (${unitNames}) unit on unit.id = m.unit_id where ${memberInSight(sight)}`

/** As the way down to it: two schools have a 3A each. */
const unitNames = sql`select u.id, concat_ws(' / ', above.name, p.name, u.name) as name
  from member_unit u left join member_unit p on p.id = u.parent_id
  left join member_unit above on above.id = p.parent_id`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`registered_at`, type: 'timestamptz', newestFirst: true },
  number: { by: sql`number`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  level: { by: sql`level`, type: 'bigint', newestFirst: true },
}

const tiedTo = (merchantId: number) =>
  sql`id in (select member_id from member_merchant where merchant_id = ${merchantId} and unlinked_at is null)`

const isKnown = sql`state in ${statesIn(memberState, 'known')}`

export function listMembersIn(sight: Sight, filter: Filter): Listing<Member> {
  const { q, merchantId, notOf, tie, state, region, level, tag, unit, card, consent, sort } = filter
  const where = allOf([
    q && sql`id in (${memberFoundAs(q)})`,
    merchantId && sql`(${tiedTo(merchantId)} and ${merchantInSight(sight, sql`${merchantId}::bigint`)})`,
    // Of a merchant out of sight nobody learns who is tied to it, not even by who is missing.
    notOf && sql`not (${tiedTo(notOf)} and ${merchantInSight(sight, sql`${notOf}::bigint`)})`,
    tie && (tie === 'tied' ? sql`"merchantCount" > 0` : sql`"merchantCount" = 0`),
    isAnyOf(sql`state`, state),
    region && holds(sql`region`, region),
    level && sql`level = ${level}`,
    tag && sql`${tag} = any(tags)`,
    unit && holds(sql`"unitName"`, unit),
    card && (card === 'with' ? sql`"cardCount" > 0` : sql`"cardCount" = 0 and ${isKnown}`),
    consent && (consent === 'given' ? sql`consented_at is not null` : sql`consented_at is null and ${isKnown}`),
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[sort] })
}

export async function countMembers(db: Reader, sight: Sight): Promise<OutputOf<typeof summariseMembers>> {
  const found = await sql<OutputOf<typeof summariseMembers>>`
    select count(*) filter (where ${isKnown})::int as known,
      count(*) filter (where ${isKnown} and held)::int as "withCard",
      count(*) filter (where ${isKnown} and not held)::int as "withoutCard",
      count(*) filter (where ${isKnown} and consented_at is null)::int as "consentMissing",
      count(*) filter (where state = 'stopped')::int as stopped
    from (select m.state, m.consented_at, exists (select from member_card k where k.member_id = m.id
        and k.state in ${statesIn(cardState, 'uncancelled')} and ${merchantInSight(sight, sql`k.merchant_id`)}) as held
      from member m where ${memberInSight(sight)}) seen`.execute(db)
  return only(found)
}

type Detail = OutputOf<typeof getMember>

export async function findMemberDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'ties'>>`
    select seen.*, m.version, ${merchantInSight(sight, sql`m.merchant_id`)} as "isOwn", m.consented_by as "consentedBy",
      to_json(m.consented_at) #>> '{}' as "consentedAt", to_json(m.erased_at) #>> '{}' as "erasedAt",
      held."balanceFen", held."giftFen", spent."spentFen", spent."spentCount", c.name as "registeredWith"
    from (${rowsInSight(sight)}) seen join member m on m.id = seen.id
    left join merchant c on c.id = m.merchant_id and ${merchantInSight(sight, sql`c.id`)}
    cross join lateral (${cardMoneyOf(sight)}) held cross join lateral (${spentBy(sight)}) spent
    where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  return row && { ...row, ties: await findTies(db, sight, id) }
}

const cardMoneyOf = (sight: Sight) => sql`
  select coalesce(-sum(a.balance_fen) filter (where a.kind = 'card_liability'), 0)::bigint as "balanceFen",
    coalesce(-sum(a.balance_fen) filter (where a.kind = 'gift_liability'), 0)::bigint as "giftFen"
  from member_card k join ledger_account a on a.kind in ('card_liability', 'gift_liability')
    and a.merchant_id = k.merchant_id and a.key = k.id::text
  where k.member_id = m.id and ${merchantInSight(sight, sql`k.merchant_id`)}`

const spentBy = (sight: Sight) => sql`
  select coalesce(sum(h.balance_fen + h.gift_fen - h.credited_balance_fen - h.credited_gift_fen), 0)::bigint
    as "spentFen", count(*)::int as "spentCount"
  from member_card k join member_card_charge h on h.card_id = k.id
  where k.member_id = m.id and ${merchantInSight(sight, sql`h.merchant_id`)}`

async function findTies(db: Reader, sight: Sight, id: number): Promise<Detail['ties']> {
  const found = await sql<Detail['ties'][number]>`
    select tie.id, tie.merchant_id as "merchantId", c.name as "merchantName",
      to_json(tie.linked_at) #>> '{}' as "linkedAt", linker.display_name as "linkedBy",
      to_json(tie.unlinked_at) #>> '{}' as "unlinkedAt", unlinker.display_name as "unlinkedBy",
      target.name as "movedTo", tie.reason
    from member_merchant tie join merchant c on c.id = tie.merchant_id
    left join app_user linker on linker.id = tie.linked_by
    left join app_user unlinker on unlinker.id = tie.unlinked_by
    left join merchant target on target.id = tie.moved_to and ${merchantInSight(sight, sql`target.id`)}
    where tie.member_id = ${id} and ${merchantInSight(sight, sql`c.id`)}
    order by tie.id desc limit 100`.execute(db)
  return found.rows
}
