import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getMember, listMembers, Member } from '@aisle/contract/member/member'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Listing } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listMembers>

/** Registered with, or tied to, a merchant in sight. @param m the alias of `member` */
export const memberInSight = (sight: Sight): RawBuilder<boolean> =>
  sight.kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${merchantInSight(sight, sql`m.merchant_id`)} or m.id in (select member_id from member_merchant tie
        where tie.unlinked_at is null and ${merchantInSight(sight, sql`tie.merchant_id`)}))`

const openTies = (sight: Sight) => sql`from member_merchant tie join merchant c on c.id = tie.merchant_id
  where tie.member_id = m.id and tie.unlinked_at is null and ${merchantInSight(sight, sql`c.id`)}`

const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select m.id, m.number, m.name, m.phone, m.address, m.parent_name as "parentName", m.region, m.state,
    m.registered_at, to_json(m.registered_at) #>> '{}' as "registeredAt",
    coalesce((select string_agg(c.name, ' · ' order by tie.linked_at) ${openTies(sight)}), '') as merchants,
    (select count(*)::int ${openTies(sight)}) as "merchantCount"
  from member m where ${memberInSight(sight)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`registered_at`, type: 'timestamptz', newestFirst: true },
  number: { by: sql`number`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
}

const tiedTo = (merchantId: number) =>
  sql`id in (select member_id from member_merchant where merchant_id = ${merchantId} and unlinked_at is null)`

export function listMembersIn(sight: Sight, filter: Filter): Listing<Member> {
  const { q, merchantId, notOf, tie, state, region, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`number`, q)} or ${holds(sql`name`, q)} or phone = ${q})`,
    merchantId && sql`(${tiedTo(merchantId)} and ${merchantInSight(sight, sql`${merchantId}::bigint`)})`,
    // Of a merchant out of sight nobody learns who is tied to it, not even by who is missing.
    notOf && sql`not (${tiedTo(notOf)} and ${merchantInSight(sight, sql`${notOf}::bigint`)})`,
    tie && (tie === 'tied' ? sql`"merchantCount" > 0` : sql`"merchantCount" = 0`),
    state && sql`state = ${sql.lit(state)}`,
    region && holds(sql`region`, region),
  ])
  return listRows<Member>({ rows: seen(sight), where, order: orders[sort] })
}

type Detail = OutputOf<typeof getMember>

export async function findDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'ties'>>`
    select seen.*, c.name as "registeredWith" from (${seen(sight)}) seen join member m on m.id = seen.id
    left join merchant c on c.id = m.merchant_id and ${merchantInSight(sight, sql`c.id`)}
    where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  return row && { ...row, ties: await findTies(db, sight, id) }
}

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
