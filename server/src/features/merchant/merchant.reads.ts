import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  listMerchants,
  listMerchantTree,
  listServicePhones,
  MerchantDetail,
  MerchantRow,
} from '@aisle/contract/merchant/merchant'
import { type RawBuilder, sql } from 'kysely'
import type { Actor, Reader } from '../../kernel/context'
import { historyOf } from '../../kernel/history'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'

type Listed = OutputOf<typeof listMerchants>['items'][number]

/** Parents before children, with the machines of each that are in sight. */
export async function listInSight(db: Reader, sight: Sight): Promise<Listed[]> {
  const found = await sql<Listed>`
    select m.id, m.parent_id as "parentId", m.code, m.name, m.type, m.state,
      coalesce(c.count, 0)::int as "machineCount"
    from merchant m left join (${machineCounts(sight)}) c on c.merchant_id = m.id
    where ${merchantInSight(sight, sql`m.id`)}
    order by m.path`.execute(db)
  return found.rows
}

const machineCounts = (sight: Sight) => sql`select merchant_id, count(*) as count from machine
  where ${machineInSight(sight, sql`machine.id`)} group by merchant_id`

const instant = (column: RawBuilder<unknown>) => sql`to_json(${column}) #>> '{}'`

/** Each with the names above it that are in sight; codes in that order are where it stands in the tree. */
const rowsInSight = (sight: Sight): RawBuilder<MerchantRow> => sql`
  select m.id, m.parent_id as "parentId", m.code, m.name, m.type, m.state, m.contact, m.phone,
    m.service_phone as "servicePhone", m.collects_payment as "collectsPayment",
    ${instant(sql`m.created_at`)} as "createdAt", m.path, m.created_at,
    w.way, w.codes as tree, coalesce(c.count, 0)::int as "machineCount",
    (select count(*) from merchant b where b.parent_id = m.id)::int as "childCount",
    (select count(*) from app_user u where u.merchant_id = m.id and u.kind <> 'program')::int as "userCount"
  from merchant m left join (${machineCounts(sight)}) c on c.merchant_id = m.id
  cross join lateral (
    select array_agg(a.name order by p.at) as way, string_agg(a.code, '/' order by p.at) collate "C" as codes
    from unnest(m.path) with ordinality as p(id, at) join merchant a on a.id = p.id
    where ${merchantInSight(sight, sql`a.id`)}) w
  where ${merchantInSight(sight, sql`m.id`)}`

type Asked = InputOf<typeof listMerchantTree>

const orders: Record<Asked['sort'], Order> = {
  tree: { by: sql`tree`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  newest: { by: sql`created_at`, type: 'timestamptz', newestFirst: true },
}

export function listTree(sight: Sight, input: Asked): Listing<MerchantRow> {
  const { q, merchantId, type, state, sort } = input
  const where = allOf([
    q && sql`(${holds(sql`name`, q)} or ${holds(sql`code`, q)} or ${holds(sql`contact`, q)})`,
    merchantId && sql`path @> array[${merchantId}]::bigint[]`,
    isAnyOf(sql`type`, type),
    isAnyOf(sql`state`, state),
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[sort] })
}

type Detail = Omit<MerchantDetail, 'isOwn' | 'children' | 'users' | 'history'>

export async function find(db: Reader, actor: Actor, id: number): Promise<MerchantDetail> {
  const sight = sightOf(actor)
  const found = await sql<Detail>`
    select s.*, m.address, m.category, m.tags, m.single_session as "singleSession",
      m.pickup_code_limit as "pickupCodeLimit", m.currency, m.exchange_rate as "exchangeRate",
      m.has_high_go as "hasHighGo", m.has_pharmacy as "hasPharmacy", m.has_shopping as "hasShopping",
      m.sells_when_stopped as "sellsWhenStopped",
      ${instant(sql`m.stopped_at`)} as "stoppedAt", m.version, a.account as "loginName",
      coalesce((${shownPhone}), '') as "servicePhoneShown",
      (select count(*) from licence l where l.merchant_id = m.id)::int as "licenceCount"
    from (${rowsInSight(sight)}) s join merchant m on m.id = s.id left join app_user a on a.id = m.admin_user_id
    where s.id = ${id}`.execute(db)
  const merchant = existing(found.rows[0])
  return {
    ...merchant,
    isOwn: id === actor.merchantId,
    children: await childrenOf(db, sight, id),
    users: await usersOf(db, sight, id),
    history: await historyOf(db, { kind: 'merchant', id, merchantId: id }),
  }
}

/** The nearest number on the way up. */
const shownPhone = sql`select up.service_phone from merchant up
  where up.id = any(m.path) and up.service_phone <> '' order by cardinality(up.path) desc limit 1`

async function childrenOf(db: Reader, sight: Sight, id: number): Promise<MerchantDetail['children']> {
  const found = await sql<MerchantDetail['children'][number]>`
    select id, code, name, "machineCount" from (${rowsInSight(sight)}) s
    where "parentId" = ${id} order by code limit 50`.execute(db)
  return found.rows
}

async function usersOf(db: Reader, sight: Sight, id: number): Promise<MerchantDetail['users']> {
  const own = sight.kind === 'granted' ? sql`u.id = ${sight.userId}` : sql`true`
  const found = await sql<MerchantDetail['users'][number]>`
    select u.id, u.account, u.display_name as name, u.kind, u.state = 'active' as "isActive"
    from app_user u where u.merchant_id = ${id} and u.kind <> 'program' and ${own}
    order by u.kind desc, u.account limit 50`.execute(db)
  return found.rows
}

type Phones = OutputOf<typeof listServicePhones>['items']

export async function servicePhones(db: Reader, sight: Sight): Promise<Phones> {
  const found = await sql<Phones[number]>`
    select s.id, s.way, s.code, s."machineCount", s."servicePhone", m.version,
      coalesce(up.service_phone, '') as shown,
      case when ${merchantInSight(sight, sql`up.id`)} then up.name end as "shownFrom"
    from (${rowsInSight(sight)}) s join merchant m on m.id = s.id
    left join lateral (select up.id, up.service_phone, up.name from merchant up
      where up.id = any(m.path) and up.service_phone <> '' order by cardinality(up.path) desc limit 1) up on true
    order by s.tree limit 5000`.execute(db)
  return found.rows
}
