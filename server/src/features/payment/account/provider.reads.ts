import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { publicAddress } from '@aisle/contract/system/settings'
import {
  type getProviderAccount,
  KEY_WARNS_DAYS,
  type KeyKind,
  keysNeeded,
  type listProviderAccounts,
  type ProviderAccount,
} from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { merchantInSight, type Sight } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { notifyAddress } from '../channel/channel'
import { stateOfKey } from './key.rules'

type Filter = InputOf<typeof listProviderAccounts>
type Detail = OutputOf<typeof getProviderAccount>

/** The same three lists as the contract's `keysNeeded`, for the database. */
const needed = sql`(values ${sql.join(
  Object.entries(keysNeeded).flatMap(([provider, kinds]) => kinds.map((kind) => sql`(${provider}, ${kind})`)),
)})`

/** Of all keys that its provider asks for, worst first. @param p the alias of the provider account */
export const keyStateOf = (p: string, now: Date): RawBuilder<unknown> => sql`(
  select case when count(k.kind) filter (where k.valid_until <= ${now}) > 0 then 'expired'
      when count(k.kind) < count(*) then 'missing'
      when min(k.valid_until) < ${now}::timestamptz + ${KEY_WARNS_DAYS} * interval '1 day' then 'expiring'
      else 'complete' end
  from ${needed} as need(provider, kind)
  left join provider_key k on k.provider_account_id = ${sql.ref(`${p}.id`)} and k.kind = need.kind
  where need.provider = ${sql.ref(`${p}.provider`)})`

const rowsInSight = (sight: Sight, now: Date): RawBuilder<ProviderAccount> => sql`
  select p.id, p.merchant_id as "merchantId", m.name as "merchantName", p.name, p.provider, n.name as "acquirer",
    p.environment,
    p.app_id as "appId", p.provider_no as "providerNo", p.gateway, ${keyStateOf('p', now)} as "keyState",
    (select to_json(min(k.valid_until)) #>> '{}' from provider_key k where k.provider_account_id = p.id)
      as "validUntil",
    p.test_outcome as "testOutcome",
    to_json(p.test_ended_at) #>> '{}' as "testedAt",
    (select count(*) from payment_account a where a.provider_account_id = p.id and a.state = 'activated') as accounts
  from provider_account p join merchant m on m.id = p.merchant_id
  left join acquirer n on n.id = p.acquirer_id
  where ${merchantInSight(sight, sql`p.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  worst: {
    by: sql`(array_position(array['expired', 'missing', 'expiring', 'complete'], "keyState"))::bigint`,
    type: 'bigint',
  },
  merchant: { by: sql`"merchantName"`, type: 'text' },
}

export function listProviderAccountsIn(sight: Sight, filter: Filter, now: Date): Listing<ProviderAccount> {
  const { providerAccount: q, provider, keyState, environment, merchantId, sort } = filter
  const where = allOf([
    q &&
      sql`(${holds(sql`name`, q)} or ${holds(sql`"appId"`, q)} or ${holds(sql`"providerNo"`, q)}
      or ${holds(sql`"merchantName"`, q)})`,
    isAnyOf(sql`provider`, provider),
    isAnyOf(sql`"keyState"`, keyState),
    environment && sql`environment = ${environment}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows({ rows: rowsInSight(sight, now), where, order: orders[sort] })
}

type Key = Omit<Detail['keys'][number], 'state'> & { kind: KeyKind }
type Row = Omit<Detail, 'keys' | 'callbackAddress'> & { token: string }

export async function findProviderAccountDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const found = await sql<Row>`
    select seen.*, p.version, p.token, to_json(p.test_asked_at) #>> '{}' as "testAskedAt", p.test_said as "testSaid",
      to_json(p.created_at) #>> '{}' as "createdAt"
    from (${rowsInSight(sight, now)}) seen join provider_account p on p.id = seen.id where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const kept = await sql<Key>`
    select k.kind, k.fingerprint, k.serial, k.subject, to_json(k.valid_until) #>> '{}' as "validUntil",
      u.display_name as "setBy", to_json(k.set_at) #>> '{}' as "setAt"
    from provider_key k left join app_user u on u.id = k.set_by where k.provider_account_id = ${id}`.execute(db)
  const { token, ...account } = row
  return {
    ...account,
    callbackAddress: notifyAddress(await settingOf(db, publicAddress, null), { provider: row.provider, token }),
    keys: keysOf(row.provider, kept.rows, now),
  }
}

const keysOf = (provider: Provider, kept: readonly Key[], now: Date): Detail['keys'] =>
  keysNeeded[provider].map((kind) => {
    const key = kept.find((each) => each.kind === kind)
    const state = stateOfKey(key && { validUntil: key.validUntil ? new Date(key.validUntil) : null }, now)
    return key ? { ...key, state } : { ...unset, kind, state }
  })

const unset = { fingerprint: null, serial: '', subject: '', validUntil: null, setBy: null, setAt: null }
