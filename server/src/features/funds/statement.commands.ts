import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Services } from '../../kernel/context'
import { dayAtHome } from '../../kernel/platformDays'
import type { OpenBank } from './bank.channel'
import type { Bank, StatementLine } from './bank.types'
import { clearDays } from './bankLine.store'
import { secretOf } from './payoutAccount'

export const READ_STATEMENTS = 'funds.readStatements'
/** A bank that was not connected for longer is asked about these days alone. */
const DAYS_BACK = 31
/** More than any bank has of a day; who says that there is always another page is not believed. */
const MOST_PAGES = 200

type Due = { id: number; holderId: number; day: string; address: string; customerNo: string; secret: Buffer }

/**
 * Reads the days that are over and not read, each bank's in their order; one that is silent is asked again with the
 * next run. A day is written down whole, once; where nothing of it is open any more it is not looked at again.
 */
export async function readStatements(services: Services, open: OpenBank): Promise<void> {
  const silent = new Set<number>()
  for (const due of await findDue(services)) {
    if (silent.has(due.id)) continue
    const secret = secretOf(services.keys, due)
    const lines = secret === null ? null : await wholeDay(open({ ...due, secret }, services.clock.now()), due.day)
    if (lines) await keep(services, due, lines)
    else silent.add(due.id)
  }
  await services.db.transaction().execute(clearDays)
}

async function findDue({ db, clock }: Services): Promise<Due[]> {
  const { day: today } = businessTime(clock.now(), PLATFORM_TIME_ZONE)
  const found = await sql<Due>`
    select p.id, p.merchant_id as "holderId", to_char(d, 'YYYY-MM-DD') as day, p.address,
      p.customer_no as "customerNo", p.secret
    from payout_account p
    cross join lateral (select min(sent_at) as since from withdrawal w where w.payout_account_id = p.id) first
    cross join generate_series(${addDays(today, -DAYS_BACK)}::date, ${addDays(today, -1)}::date, '1 day') d
    where p.is_on and ${dayAtHome(sql`first.since`)} <= d::date
      and not exists (select from bank_statement s where s.payout_account_id = p.id and s.day = d::date)
    order by p.id, d`.execute(db)
  return found.rows
}

async function wholeDay(bank: Bank, day: string): Promise<StatementLine[] | null> {
  const lines: StatementLine[] = []
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const read = await bank.statement(day, page)
    if (!read) return null
    lines.push(...read.lines)
    if (read.isLast) return lines
  }
  return null
}

async function keep(
  { db, clock }: Services,
  { id, holderId, day }: Due,
  lines: readonly StatementLine[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isNew = await sql`insert into bank_statement (payout_account_id, day, read_at)
      values (${id}, ${day}::date, ${clock.now()}) on conflict do nothing returning day`.execute(tx)
    if (isNew.rows.length === 0) return
    // What a bank repeats on another day is the same line.
    await sql`insert into bank_statement_line (payout_account_id, day, kind, reference, bank_no, amount_fen)
      select ${id}, ${day}::date, kind, reference, bank_no, amount_fen
      from ${rows('l', lines, { kind: 'text', reference: 'text', bankNo: 'text', amountFen: 'bigint' })}
      on conflict do nothing`.execute(tx)
    await announce(tx, { topic: 'changes', kinds: ['withdrawal'], merchantIds: [holderId], above: [] })
  })
}
