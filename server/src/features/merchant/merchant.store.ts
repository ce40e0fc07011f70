import { merchantState } from '@aisle/contract/merchant/states'
import type { MerchantDetail } from '@aisle/contract/merchant/merchant'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { Reader, Tx } from '../../kernel/context'
import { dropMessages } from '../../kernel/outbox'
import { refusal } from '../../kernel/refuse'
import { findPlatform, merchantInSight, type Sight } from '../../kernel/scope'
import { must } from '../../kernel/must'
import { dropSettings } from '../../kernel/settings'
import { stateful } from '../../kernel/states'
import { isUnusedAdmin, removeUnusedAdmins } from '../identity/public'
import { removeRights } from '../rights/public'

/** What is saved of a merchant, by its wire names. */
export type Merchant = Pick<
  MerchantDetail,
  | 'name'
  | 'type'
  | 'contact'
  | 'phone'
  | 'address'
  | 'servicePhone'
  | 'category'
  | 'tags'
  | 'singleSession'
  | 'collectsPayment'
  | 'pickupCodeLimit'
  | 'currency'
  | 'exchangeRate'
  | 'hasHighGo'
  | 'hasPharmacy'
  | 'hasShopping'
>
export type Found = Merchant & Pick<MerchantDetail, 'id' | 'parentId' | 'code' | 'state' | 'version'>

const columns = sql`m.id, m.parent_id as "parentId", m.code, m.state, m.version, m.name, m.type, m.contact, m.phone,
  m.address, m.service_phone as "servicePhone", m.category, m.tags, m.single_session as "singleSession",
  m.collects_payment as "collectsPayment", m.pickup_code_limit as "pickupCodeLimit",
  m.currency, m.exchange_rate as "exchangeRate", m.has_high_go as "hasHighGo", m.has_pharmacy as "hasPharmacy",
  m.has_shopping as "hasShopping"`

/** Not there and not in sight are one answer; locked, since it is about to be changed. */
export async function lockInSight(tx: Tx, sight: Sight, id: number): Promise<Found | undefined> {
  const found = await sql<Found>`select ${columns} from merchant m
    where m.id = ${id} and ${merchantInSight(sight, sql`m.id`)} for update of m`.execute(tx)
  return found.rows[0]
}

/** @throws Refusal merchant.codeTaken */
export async function insert(tx: Tx, parentId: number | null, code: string, to: Merchant, at: Date): Promise<number> {
  const made = await refusedBy(
    'merchant_code_key',
    sql<{ id: number }>`
      insert into merchant (parent_id, code, name, type, contact, phone, address, service_phone, category, tags,
        single_session, collects_payment, pickup_code_limit, currency, exchange_rate, has_high_go, has_pharmacy,
        has_shopping, created_at)
      values (${parentId}, ${code}, ${to.name}, ${to.type}, ${to.contact}, ${to.phone}, ${to.address},
        ${to.servicePhone}, ${to.category}, ${to.tags}, ${to.singleSession}, ${to.collectsPayment},
        ${to.pickupCodeLimit}, ${to.currency}, ${to.exchangeRate}, ${to.hasHighGo}, ${to.hasPharmacy},
        ${to.hasShopping}, ${at})
      returning id`.execute(tx),
    () => refusal('merchant.codeTaken', { code }),
  )
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('the merchant just written is missing')
  return id
}

export async function update(tx: Tx, id: number, to: Merchant): Promise<void> {
  await sql`update merchant set name = ${to.name}, type = ${to.type}, contact = ${to.contact}, phone = ${to.phone},
      address = ${to.address}, service_phone = ${to.servicePhone}, category = ${to.category}, tags = ${to.tags},
      single_session = ${to.singleSession}, collects_payment = ${to.collectsPayment},
      pickup_code_limit = ${to.pickupCodeLimit}, currency = ${to.currency},
      exchange_rate = ${to.exchangeRate}, has_high_go = ${to.hasHighGo},
      has_pharmacy = ${to.hasPharmacy}, has_shopping = ${to.hasShopping}, version = version + 1
    where id = ${id}`.execute(tx)
}

export async function setServicePhone(tx: Tx, id: number, phone: string): Promise<void> {
  await sql`update merchant set service_phone = ${phone}, version = version + 1 where id = ${id}`.execute(tx)
}

const merchants = stateful('merchant', 'state', merchantState, { versioned: true })

export async function setStopped(tx: Tx, id: number, sellsOn: boolean, at: Date): Promise<void> {
  await merchants.moveAll(tx, sql`id = ${id}`, 'stop', { sellsWhenStopped: sellsOn, stoppedAt: at })
}

export async function setActive(tx: Tx, id: number): Promise<void> {
  await merchants.moveAll(tx, sql`id = ${id}`, 'resume', { sellsWhenStopped: true, stoppedAt: null })
}

export async function setParent(tx: Tx, id: number, parentId: number): Promise<void> {
  await sql`update merchant set parent_id = ${parentId}, version = version + 1 where id = ${id}`.execute(tx)
}

/** From the root down to itself. */
export async function pathOf(tx: Tx, id: number): Promise<number[]> {
  const found = await sql<{ path: number[] }>`select path from merchant where id = ${id}`.execute(tx)
  return found.rows[0]?.path ?? []
}

/** One who moves a merchant at a time: two that cross would each hang below the other. */
export async function lockTree(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('merchant.tree'))`.execute(tx)
}

export async function isBelow(tx: Tx, id: number, above: number): Promise<boolean> {
  const found = await sql`select 1 from merchant where id = ${id} and path @> array[${above}]::bigint[]`.execute(tx)
  return found.rows.length > 0
}

export async function usersOf(tx: Tx, merchantId: number): Promise<number[]> {
  const found = await sql<{
    id: number
  }>`select id from app_user where merchant_id = ${merchantId} order by id`.execute(tx)
  return found.rows.map(({ id }) => id)
}

export async function machinesOf(tx: Tx, merchantId: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select id from machine where merchant_id = ${merchantId}`.execute(tx)
  return found.rows.map(({ id }) => id)
}

export type Uses = { kind: string; count: number; some: string | null }

/**
 * What hangs on a merchant, whatever table it stands in: asked of the catalog,
 * so that a new table is not forgotten.
 */
export async function usesOf(tx: Tx, id: number): Promise<Uses[]> {
  const tables = await sql<{ name: string }>`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'merchant_id' and t.table_type = 'BASE TABLE'
      and c.table_name not like 'audit\\_%' and c.table_name not in ('role', 'setting', 'menu_change', 'outbox_message')
      and not exists (select from pg_inherits i where i.inhrelid = format('%I', c.table_name)::regclass)`.execute(tx)
  const names = tables.rows.map(({ name }) => name).sort()
  const uses: Uses[] = []
  const children = await sql<{ some: string | null; count: number }>`
    select min(name) as "some", count(*) as count from merchant where parent_id = ${id}`.execute(tx)
  uses.push({ kind: 'merchant', count: children.rows[0]?.count ?? 0, some: children.rows[0]?.some ?? null })
  for (const kind of names) {
    const isUsed = kind === 'app_user' ? sql`not (${isUnusedAdmin})` : sql`true`
    const found = await sql<{ count: number }>`select count(*) as count from (
      select 1 from ${sql.table(kind)} u where u.merchant_id = ${id} and ${isUsed} limit 1000) counted`.execute(tx)
    uses.push({ kind, count: found.rows[0]?.count ?? 0, some: null })
  }
  return uses.filter(({ count }) => count > 0)
}

/** With what it alone has: its roles, settings and menus, and messages to people who go too. */
export async function remove(tx: Tx, id: number): Promise<void> {
  await removeRights(tx, id)
  await dropSettings(tx, id)
  await dropMessages(tx, id)
  await removeUnusedAdmins(tx, id)
  await sql`delete from merchant where id = ${id}`.execute(tx)
}

export async function nameOf(db: Reader, id: number): Promise<string> {
  const found = await sql<{ name: string }>`select name from merchant where id = ${id}`.execute(db)
  return found.rows[0]?.name ?? ''
}

export async function setAdmin(tx: Tx, merchantId: number, userId: number): Promise<void> {
  await sql`update merchant set admin_user_id = ${userId} where id = ${merchantId}`.execute(tx)
}

/** The platform itself, which is the merchant above all. */
export async function addRoot(tx: Tx, name: string): Promise<number> {
  await sql`insert into merchant (code, name, type) values ('PLATFORM', ${name}, 'platform')
    on conflict do nothing`.execute(tx)
  return must(await findPlatform(tx), 'the platform that was just made')
}
