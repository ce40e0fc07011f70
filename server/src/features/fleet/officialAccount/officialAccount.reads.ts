import type { AccountTemplate, getOfficialAccount, listOfficialAccounts } from '@aisle/contract/fleet/officialAccount'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { publicAddress } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'
import { allOf, holds, listRows, type Order, type Listing } from '../../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { callbackPath } from './accountCallback.routes'

type Filter = InputOf<typeof listOfficialAccounts>
type Row = OutputOf<typeof listOfficialAccounts>['items'][number]
type Detail = OutputOf<typeof getOfficialAccount>
export type Templates = Partial<Record<AccountTemplate, string>>

/** The secret is read nowhere but to be replaced: lists say only whether there is one. */
const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select o.id, o.merchant_id as "merchantId", c.name as "merchantName", o.platform, o.name, o.app_id as "appId",
    o.sealed_secret is not null as "hasSecret", o.must_follow as "mustFollow", o.state,
    (select count(*)::int from jsonb_object_keys(o.templates - 'pickupCode')) as "templateCount",
    coalesce(m.count, 0)::int as "machineCount"
  from official_account o join merchant c on c.id = o.merchant_id
  left join (select s.account_id, count(*) as count from official_account_machine s
    where ${machineInSight(sight, sql`s.machine_id`)} group by s.account_id) m on m.account_id = o.id
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listOfficialAccountsIn(sight: Sight, filter: Filter): Listing<Row> {
  const { officialAccount: typed, platform, state, merchantId, sort } = filter
  const where = allOf([
    typed && sql`(${holds(sql`name`, typed)} or ${holds(sql`"appId"`, typed)})`,
    platform && sql`platform = ${platform}`,
    state && sql`state = ${sql.lit(state)}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows<Row>({ rows: seen(sight), where, order: orders[sort] })
}

const MOST_SHOWN = 200

export async function findDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Row & Pick<Detail, 'version' | 'link' | 'hasToken'> & { templates: Templates; key: string }>`
    select seen.*, o.version, o.link, o.templates, o.sealed_token is not null as "hasToken",
      o.notify_key as key
    from (${seen(sight)}) seen join official_account o on o.id = seen.id where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const machines = await sql<Detail['machines'][number]>`
    select m.id, m.code, m.name, p.name as "pointName" from official_account_machine s
    join machine m on m.id = s.machine_id join point p on p.id = m.point_id
    where s.account_id = ${id} and ${machineInSight(sight, sql`m.id`)} order by m.code
    limit ${sql.lit(MOST_SHOWN)}`.execute(db)
  const { templates, key, ...account } = row
  const site = await settingOf(db, publicAddress, null)
  const told = await sql<{ followers: number; failed: number }>`select
    (select count(*)::int from account_follower where account_id = ${id} and is_following) as followers,
    (select count(*)::int from outbox_message where account_id = ${id} and state = 'failed') as failed`.execute(db)
  const { followers, failed } = told.rows[0] ?? { followers: 0, failed: 0 }
  return {
    ...account,
    ...templateFields(templates),
    machines: machines.rows,
    callbackAddress: site && `${site.replace(/\/+$/, '')}${callbackPath(key)}`,
    followers,
    failed,
  }
}

export const templateFields = ({ paid, shipped, refunded, pickupCode }: Templates) => ({
  paidTemplate: paid ?? '',
  shippedTemplate: shipped ?? '',
  refundedTemplate: refunded ?? '',
  pickupCodeTemplate: pickupCode ?? '',
})

export type AccountRow = {
  id: number
  merchantId: number
  platform: string
  name: string
  appId: string
  link: string
  mustFollow: boolean
  templates: Templates
  hasSecret: boolean
  state: 'active' | 'stopped'
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<AccountRow | undefined> {
  const found = await sql<AccountRow>`select o.id, o.merchant_id as "merchantId", o.platform, o.name,
      o.app_id as "appId", o.link, o.must_follow as "mustFollow", o.templates,
      o.sealed_secret is not null as "hasSecret", o.state, o.version
    from official_account o where o.id = ${id} and ${merchantInSight(sight, sql`o.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** Machines that show it, whoever may see them. */
export async function usesOf(tx: Tx, id: number): Promise<string[]> {
  const found = await sql<{ code: string }>`select m.code from official_account_machine s
    join machine m on m.id = s.machine_id where s.account_id = ${id} order by m.code limit 30`.execute(tx)
  return found.rows.map(({ code }) => code)
}
