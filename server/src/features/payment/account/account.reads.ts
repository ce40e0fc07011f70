import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  accountState,
  type getPaymentAccount,
  type listPaymentAccounts,
  type listProviderChoices,
  type PaymentAccount,
} from '@aisle/contract/payment/account'
import { publicAddress } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { isOfPlatform, merchantInSight, type Sight } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { type AccountFacts, activatorRefusal, hindrancesOf } from './account.rules'
import { collecting } from './account.store'
import { notifyAddress } from '../channel/channel'
import { keyStateOf } from './provider.reads'

type Filter = InputOf<typeof listPaymentAccounts>
type Detail = OutputOf<typeof getPaymentAccount>

const rowsInSight = (sight: Sight, day: string): RawBuilder<PaymentAccount> => sql`
  select a.id, a.merchant_id as "merchantId", m.name as "merchantName", a.provider, machine.code as "machineCode",
    a.products, a.sub_merchant_no as "subMerchantNo", a.payment_title as "paymentTitle",
    a.funds_mode as "fundsMode", case when a.publish_at is null then a.state else 'scheduled' end as state,
    to_json(a.publish_at) #>> '{}' as "publishAt", to_json(a.activated_at) #>> '{}' as "activatedAt",
    to_json(a.stopped_at) #>> '{}' as "stoppedAt", coalesce(today.paid, 0) as "todayPaid",
    coalesce(today.fen, 0) as "todayFen"
  from payment_account a join merchant m on m.id = a.merchant_id left join machine on machine.id = a.machine_id
  left join lateral (
    select count(t.paid_at) as paid, sum(t.paid_fen) as fen from payment_attempt t
    where t.account_id = a.id and t.business_day = ${day}
      and t.created_at > ${day}::date::timestamptz - interval '2 days') today on true
  where ${merchantInSight(sight, sql`a.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  merchant: { by: sql`"merchantName"`, type: 'text' },
}

export function listPaymentAccountsIn(sight: Sight, filter: Filter, now: Date): Listing<PaymentAccount> {
  const { paymentAccount: q, provider, state, fundsMode, machineCode, merchantId, sort } = filter
  const where = allOf([
    q &&
      sql`(${holds(sql`"merchantName"`, q)} or ${holds(sql`"subMerchantNo"`, q)}
      or ${holds(sql`"paymentTitle"`, q)})`,
    isAnyOf(sql`provider`, provider),
    isAnyOf(sql`state`, state),
    isAnyOf(sql`"fundsMode"`, fundsMode),
    machineCode && sql`"machineCode" = ${machineCode}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  return listRows({ rows: rowsInSight(sight, day), where, order: orders[sort] })
}

type Row = Omit<Detail, 'hindrances' | 'machines' | 'mayActivate'> & { isPlatform: boolean }

export async function findPaymentAccountDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const rows = await sql<Row>`
    select seen.*, a.version, p.name as "providerAccountName", p.environment, ${keyStateOf('p', now)} as "keyState",
      (select to_json(min(k.valid_until)) #>> '{}' from provider_key k where k.provider_account_id = p.id)
        as "keysValidUntil", a.bank, a.account_name as "accountName",
      a.receiving_tail as "receivingTail", ${merchantInSight(sight, sql`p.merchant_id`)} as "mayPublish",
      ${isOfPlatform(sight)} as "isPlatform",
      (select other.id from payment_account other where other.state = 'activated' and a.state = 'preparing'
        and other.merchant_id = a.merchant_id and other.provider = a.provider
        and other.machine_id is not distinct from a.machine_id) as replaces,
      a.copied_from as "copiedFrom", a.replaced_by as "replacedBy", u.display_name as "activatedBy",
      a.stop_reason as "stopReason", nullif(a.publish_fault, '') as "publishFault",
      to_json(a.created_at) #>> '{}' as "createdAt"
    from (${rowsInSight(sight, day)}) seen join payment_account a on a.id = seen.id
    join provider_account p on p.id = a.provider_account_id left join app_user u on u.id = a.activated_by
    where seen.id = ${id}`.execute(db)
  const [found] = rows.rows
  if (!found) return undefined
  const { isPlatform, ...row } = found
  const mayActivate = activatorRefusal({ isOwner: row.mayPublish, isPlatform }, row.fundsMode) === null
  const facts = await findFacts(db, id, now)
  const hindrances = facts && accountState.is(row.state, 'preparing') ? hindrancesOf(facts) : []
  return {
    ...row,
    mayActivate,
    hindrances,
    machines: accountState.is(row.state, 'activated') ? await countMachines(db, id) : 0,
  }
}

/** What its activation is decided by. */
export async function findFacts(db: Reader, id: number, now: Date): Promise<AccountFacts | undefined> {
  const found = await sql<Omit<AccountFacts, 'callbackAddress'> & { token: string }>`
    select a.provider, a.funds_mode as "fundsMode", p.environment, p.app_id as "appId", p.provider_no as "providerNo",
      p.gateway, p.token, ${keyStateOf('p', now)} as "keyState", a.sub_merchant_no as "subMerchantNo",
      a.payment_title as "paymentTitle", a.bank, a.account_name as "accountName",
      a.receiving_tail as "receivingTail", m.collects_payment as "collectsPayment"
    from payment_account a join provider_account p on p.id = a.provider_account_id
    join merchant m on m.id = a.merchant_id where a.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const { token, ...facts } = row
  return { ...facts, callbackAddress: notifyAddress(await settingOf(db, publicAddress, null), { ...facts, token }) }
}

/** Machines that take money by it as things are, in one way or the other. */
async function countMachines(db: Reader, id: number): Promise<number> {
  const by = (product: string) => sql`(select c.id from (${collecting(sql`m.id`, sql`a.provider`, sql`${product}`)}) c)`
  const found = await sql<{ count: number }>`
    select count(*) as count from payment_account a join merchant c on c.path @> array[a.merchant_id]
    join machine m on m.merchant_id = c.id and (a.machine_id is null or a.machine_id = m.id)
    where a.id = ${id} and a.id in (${by('native')}, ${by('barcode')})`.execute(db)
  return found.rows[0]?.count ?? 0
}

type Choice = OutputOf<typeof listProviderChoices>['items'][number]

/** Its own and those of the merchants above it, by name alone; undefined for a merchant out of sight. */
export async function findChoices(db: Reader, sight: Sight, merchantId: number): Promise<Choice[] | undefined> {
  const found = await sql<{ path: number[] }>`select path from merchant where id = ${merchantId}
    and ${merchantInSight(sight, sql`merchant.id`)}`.execute(db)
  const path = found.rows[0]?.path
  if (!path) return undefined
  const choices = await sql<Choice>`
    select p.id, p.name, p.provider, p.environment, m.name as "merchantName"
    from provider_account p join merchant m on m.id = p.merchant_id
    where p.merchant_id = any(${path}::bigint[])
    order by array_position(${path}::bigint[], p.merchant_id) desc, p.provider, p.name`.execute(db)
  return choices.rows
}
