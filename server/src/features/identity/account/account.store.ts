import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { merchantInSight, type Sight } from '../../../kernel/scope'

/** What signing in, resetting and telling somebody need to know of an account. */
export type Account = {
  userId: number
  account: string
  displayName: string
  kind: UserKind
  merchantId: number
  merchantName: string
  phone: string | null
  language: Language
  isEnabled: boolean
  isSingleSession: boolean
  mustChange: boolean
}

export const findById = (db: Reader, userId: number): Promise<Account | undefined> =>
  findOne(db, sql<boolean>`u.id = ${userId}`)

/** @param account as `normaliseAccount` gives it */
export const findByAccount = (db: Reader, account: string): Promise<Account | undefined> =>
  findOne(db, sql<boolean>`u.account = ${account}`)

export const findInSight = (db: Reader, sight: Sight, userId: number): Promise<Account | undefined> =>
  findOne(db, sql<boolean>`u.id = ${userId} and ${merchantInSight(sight, sql`u.merchant_id`)}`)

/** A shared phone of a small team; more than this on one number is a mistake. */
const MOST_OF_A_PHONE = 20

export const listByPhone = (db: Reader, sight: Sight, phone: string): Promise<Account[]> =>
  find(
    db,
    sql<boolean>`u.phone = ${phone} and u.state = 'active' and m.state = 'active'
      and ${merchantInSight(sight, sql`u.merchant_id`)}`,
  )

async function findOne(db: Reader, where: RawBuilder<boolean>): Promise<Account | undefined> {
  const [account] = await find(db, where)
  return account
}

async function find(db: Reader, where: RawBuilder<boolean>): Promise<Account[]> {
  const found = await sql<Account>`
    select u.id as "userId", u.account, u.display_name as "displayName", u.kind, u.merchant_id as "merchantId",
      m.name as "merchantName", u.phone, u.language, u.state = 'active' and m.state = 'active' as "isEnabled",
      m.single_session as "isSingleSession", coalesce(c.must_change, false) as "mustChange"
    from app_user u join merchant m on m.id = u.merchant_id left join credential c on c.user_id = u.id
    where ${where} order by u.account limit ${sql.lit(MOST_OF_A_PHONE)}`.execute(db)
  return found.rows
}
