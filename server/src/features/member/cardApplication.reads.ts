import { applicationState, type CardApplication, type listApplications } from '@aisle/contract/member/cardApplication'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'

type Filter = InputOf<typeof listApplications>
type Row = CardApplication & { phone: string }

const rowsInSight = (sight: Sight, userId: number): RawBuilder<Row> => sql`
  select a.id, a.merchant_id as "merchantId", c.name as "merchantName", a.member_id as "memberId",
    m.name as "memberName", m.number as "memberNumber", m.phone, a.kind, a.type, a.level,
    old.logical_no as replaces, a.note, a.state, maker.display_name as "createdBy",
    to_json(a.created_at) #>> '{}' as "createdAt", a.created_by = ${userId} as "isOwn",
    judge.display_name as "decidedBy", to_json(a.decided_at) #>> '{}' as "decidedAt", a.reason,
    made.logical_no as "logicalNo", giver.display_name as "issuedBy", to_json(a.issued_at) #>> '{}' as "issuedAt"
  from card_application a join merchant c on c.id = a.merchant_id join member m on m.id = a.member_id
  join app_user maker on maker.id = a.created_by
  left join app_user judge on judge.id = a.decided_by left join app_user giver on giver.id = a.issued_by
  left join member_card old on old.id = a.replaces left join member_card made on made.id = a.card_id
  where ${merchantInSight(sight, sql`a.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  oldest: { by: sql`id`, type: 'bigint' },
}

export function listApplicationsIn({ actor }: QueryContext, filter: Filter): Listing<CardApplication> {
  const { q, state, kind, type, merchantId, memberId, sort } = filter
  const where = allOf([
    q &&
      sql`("memberNumber" = upper(${q}) or ${holds(sql`"memberName"`, q)} or phone = ${q}
        or replaces = upper(${q}) or "logicalNo" = upper(${q}))`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    isAnyOf(sql`type`, type),
    merchantId && sql`"merchantId" = ${merchantId}`,
    memberId && sql`"memberId" = ${memberId}`,
  ])
  return listRows<CardApplication>({ rows: rowsInSight(sightOf(actor), actor.userId), where, order: orders[sort] })
}

export async function findApplication({ db, actor }: QueryContext, id: number): Promise<CardApplication | undefined> {
  const found = await sql<Row>`select * from (${rowsInSight(sightOf(actor), actor.userId)}) seen
    where id = ${id}`.execute(db)
  return found.rows[0]
}

export async function countWaitingApplications(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from card_application
    where state = ${sql.lit(applicationState.initial)} and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
  return only(found).count
}
