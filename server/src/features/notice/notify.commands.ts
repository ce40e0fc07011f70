import { grantsGiving } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { type Channel, messageTypeState } from '@aisle/contract/notice/messageType'
import { type RawBuilder, sql } from 'kysely'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import type { Reader } from '../../kernel/context'
import { filled } from '../../kernel/outbox'
import { dispatch } from './dispatch'
import { findByCode } from './messageType.store'

type Vars = Readonly<Record<string, string>>

export type Notify = {
  /** Code of a message type, e.g. `alarm.system`. */
  type: string
  /** Whose matter it is: their push settings say who is told, and how. */
  merchantId: number
  /** What the type's words name; in each reader's language where they are words themselves. */
  vars: Vars | ((language: Language) => Vars)
  /** Told whatever the push settings name; the channels stay those of the settings. */
  userIds?: readonly number[]
  roleIds?: readonly number[]
  /** Without a push setting: who holds it is told, of the merchant or the nearest above where anybody does. */
  right?: Permission
  /** Each person is told once for it. */
  reference?: string
  at: Date
}

type Rule = { id: number; channels: Channel[] }

/**
 * Tells people in the caller's transaction: those named, else those of the merchant's push setting or the nearest one
 * above, else who holds the right, else the merchant's administrators. A type that is switched off tells nobody.
 */
export async function notify(db: Reader, { type: code, merchantId, vars, reference, at, ...named }: Notify) {
  const type = await findByCode(db, code)
  if (!type) throw new RangeError(`there is no message type ${code}`)
  if (messageTypeState.is(type.state, 'off')) return
  const varsIn = typeof vars === 'function' ? vars : () => vars
  const rule = await ruleFor(db, type.id, merchantId)
  const userIds = await receiversOf(db, merchantId, rule, named)
  await dispatch(db, {
    type,
    userIds,
    channels: rule?.channels ?? type.channels,
    words: (language) => ({
      title: filled(type.title[language], varsIn(language)),
      body: filled(type.body[language], varsIn(language)),
    }),
    // A provider's template has one language, the product's first.
    vars: varsIn('zh'),
    reference: reference ?? null,
    notificationId: null,
    at,
  })
}

/** The merchant's own, else the nearest above. */
async function ruleFor(db: Reader, typeId: number, merchantId: number): Promise<Rule | undefined> {
  const found = await sql<Rule>`select r.id, r.channels from merchant m join push_rule r on r.merchant_id = any(m.path)
    where m.id = ${merchantId} and r.type_id = ${typeId}
    order by array_position(m.path, r.merchant_id) desc limit 1`.execute(db)
  return found.rows[0]
}

async function receiversOf(
  db: Reader,
  merchantId: number,
  rule: Rule | undefined,
  { userIds = [], roleIds = [], right }: Pick<Notify, 'userIds' | 'roleIds' | 'right'>,
): Promise<number[]> {
  const isNamed = userIds.length > 0 || roleIds.length > 0
  const named = sql`u.id = any(${[...userIds]}::bigint[])
    or u.id in (select user_id from user_role where role_id = any(${[...roleIds]}::bigint[]))`
  const byRule = ({ id }: Rule) => sql`exists (select 1 from push_rule_target t where t.rule_id = ${id} and (
    t.user_id = u.id
    or exists (select 1 from user_role ur where ur.user_id = u.id and ur.role_id = t.role_id)
    or exists (select 1 from organisation o where o.id = u.organisation_id and o.path @> array[t.organisation_id])))`
  const admins = sql`u.merchant_id = ${merchantId} and u.kind in ('merchant_admin', 'platform_admin')`
  const who = isNamed ? named : rule ? byRule(rule) : right ? await holding(db, merchantId, right) : admins
  const found = await sql<{ id: number }>`select u.id from app_user u where u.state = 'active' and (${who})
    order by u.id`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** Whose role says so; somebody of another kind than an administrator has to see machines by a grant of their own. */
async function holding(db: Reader, merchantId: number, right: Permission): Promise<RawBuilder<boolean>> {
  const holds = sql<boolean>`exists (select 1 from user_role ur join role_permission p on p.role_id = ur.role_id
    where ur.user_id = u.id and p.permission = any(${grantsGiving(right)}::text[]))`
  const nearest = await sql<{ id: number }>`select m.id from merchant its join merchant m on m.id = any(its.path)
    where its.id = ${merchantId} and exists (
      select 1 from app_user u where u.merchant_id = m.id and u.state = 'active' and ${holds})
    order by array_position(its.path, m.id) desc limit 1`.execute(db)
  return sql<boolean>`(u.merchant_id = ${nearest.rows[0]?.id ?? null}::bigint and ${holds})`
}
