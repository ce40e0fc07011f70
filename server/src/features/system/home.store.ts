import { licenceWarningDays } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { dayAtHome } from '../../kernel/platformDays'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'

type Asking = Pick<QueryContext, 'db' | 'actor' | 'now'>

/** A number beyond this reads "99+" anyway; counting stops there. */
const MOST = 1_000

async function countOf({ db }: Asking, rows: RawBuilder<unknown>): Promise<number> {
  const found = await sql<{
    count: number
  }>`select count(*)::int as count from (${rows} limit ${sql.lit(MOST)}) counted`.execute(db)
  return found.rows[0]?.count ?? 0
}

const mine = ({ actor }: Asking) => merchantInSight(sightOf(actor), sql.ref('merchant_id'))
const today = ({ now }: Asking) => dayAtHome(now())

export const openAlarms = (ask: Asking) =>
  countOf(ask, sql`select 1 from system_alarm where closed_at is null and acknowledged_at is null`)

export const licencesExpired = (ask: Asking) =>
  countOf(ask, sql`select 1 from licence where revoked_at is null and valid_to < ${today(ask)} and ${mine(ask)}`)

export async function licencesExpiring(ask: Asking): Promise<number> {
  const days = await settingOf(ask.db, licenceWarningDays, ask.actor.merchantId)
  return countOf(
    ask,
    sql`select 1 from licence where revoked_at is null
      and valid_to between ${today(ask)} and ${today(ask)} + ${days}::int and ${mine(ask)}`,
  )
}

export const accountsPending = (ask: Asking) =>
  countOf(ask, sql`select 1 from bank_account where state = 'pending' and ${mine(ask)}`)

export const messagesFailed = (ask: Asking) =>
  countOf(ask, sql`select 1 from outbox_message where state = 'failed' and ${mine(ask)}`)

export const agreementDrafts = (ask: Asking) => countOf(ask, sql`select 1 from agreement where state = 'draft'`)
