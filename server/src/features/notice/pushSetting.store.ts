import type { Language } from '@aisle/contract/kernel/text'
import type { Channel } from '@aisle/contract/notice/messageType'
import type { PushSetting } from '@aisle/contract/notice/pushSetting'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'

type Named = { id: number; name: string }

/** Each type with the rule that holds for the merchant: its own, the nearest above, or none. */
export async function all(db: Reader, merchantId: number, language: Language): Promise<PushSetting[]> {
  const named = (column: string, table: string, name: string) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.${sql.ref(name)}) order by x.id)
    from push_rule_target g join ${sql.table(table)} x on x.id = g.${sql.ref(column)}
    where g.rule_id = r.id and r.merchant_id = ${merchantId}), '[]')`
  const found = await sql<PushSetting>`
    select t.id as "typeId", t.code, t.name ->> ${language} as name,
      case when t.can_wait then 'canWait' else 'now' end as urgency, t.is_required as "isRequired",
      coalesce(r.channels, t.channels) as channels,
      case when r.id is null then 'type' when r.merchant_id = ${merchantId} then 'own' else 'above' end as source,
      case when r.merchant_id = ${merchantId} then r.version else 0 end as version,
      ${named('role_id', 'role', 'name')} as roles, ${named('user_id', 'app_user', 'display_name')} as users,
      ${named('organisation_id', 'organisation', 'name')} as organisations
    from message_type t
    left join lateral (
      select p.id, p.merchant_id, p.channels, p.version from merchant m join push_rule p on p.merchant_id = any(m.path)
      where m.id = ${merchantId} and p.type_id = t.id
      order by array_position(m.path, p.merchant_id) desc limit 1) r on true
    where t.is_on and t.code <> 'push.test' and t.code not like 'notice.%' and not t.is_required
    order by t.code`.execute(db)
  return found.rows
}

const MOST_CHOICES = 500

export async function choices(
  db: Reader,
  merchantId: number,
): Promise<{ roles: Named[]; users: Named[]; organisations: Named[] }> {
  const roles = await sql<Named>`select id, name from role where merchant_id = ${merchantId}
    order by name limit ${sql.lit(MOST_CHOICES)}`.execute(db)
  const users = await sql<Named>`select id, display_name as name from app_user
    where merchant_id = ${merchantId} and state = 'active' order by display_name
    limit ${sql.lit(MOST_CHOICES)}`.execute(db)
  const units = await sql<Named>`select id, name from organisation
    where merchant_id = ${merchantId} and state = 'active' order by path
    limit ${sql.lit(MOST_CHOICES)}`.execute(db)
  return { roles: roles.rows, users: users.rows, organisations: units.rows }
}

export type Rule = {
  id: number
  channels: Channel[]
  roleIds: number[]
  userIds: number[]
  organisationIds: number[]
  version: number
}
type Targets = Pick<Rule, 'channels' | 'roleIds' | 'userIds' | 'organisationIds'>

export async function lock(tx: Reader, merchantId: number, typeId: number): Promise<Rule | undefined> {
  const ids = (column: string) => sql`array(select ${sql.ref(column)} from push_rule_target
    where rule_id = r.id and ${sql.ref(column)} is not null order by 1)`
  const found = await sql<Rule>`select r.id, r.channels, r.version, ${ids('role_id')} as "roleIds",
      ${ids('user_id')} as "userIds", ${ids('organisation_id')} as "organisationIds"
    from push_rule r where r.merchant_id = ${merchantId} and r.type_id = ${typeId} for update`.execute(tx)
  return found.rows[0]
}

/** Nobody of another merchant is told by this one's rule. */
export async function areOwn(tx: Reader, merchantId: number, targets: Omit<Targets, 'channels'>): Promise<boolean> {
  const { roleIds, userIds, organisationIds } = targets
  const found = await sql<{ count: number }>`select
    (select count(*) from role where merchant_id = ${merchantId} and id = any(${roleIds}::bigint[]))
    + (select count(*) from app_user where merchant_id = ${merchantId} and id = any(${userIds}::bigint[]))
    + (select count(*) from organisation where merchant_id = ${merchantId}
        and id = any(${organisationIds}::bigint[])) as count`.execute(tx)
  return found.rows[0]?.count === roleIds.length + userIds.length + organisationIds.length
}

export async function write(tx: Tx, merchantId: number, typeId: number, targets: Targets): Promise<number> {
  const saved = await sql<{ id: number; version: number }>`insert into push_rule (merchant_id, type_id, channels)
    values (${merchantId}, ${typeId}, ${targets.channels}::text[])
    on conflict (merchant_id, type_id) do update set channels = excluded.channels, version = push_rule.version + 1
    returning id, version`.execute(tx)
  const [rule] = saved.rows
  if (!rule) throw new Error('a rule was not written')
  await sql`delete from push_rule_target where rule_id = ${rule.id}`.execute(tx)
  await sql`insert into push_rule_target (rule_id, role_id, user_id, organisation_id)
    select ${rule.id}::bigint, id, null::bigint, null::bigint from unnest(${targets.roleIds}::bigint[]) id
    union all select ${rule.id}, null, id, null from unnest(${targets.userIds}::bigint[]) id
    union all select ${rule.id}, null, null, id from unnest(${targets.organisationIds}::bigint[]) id`.execute(tx)
  return rule.version
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await sql`delete from push_rule where id = ${id}`.execute(tx)
}
