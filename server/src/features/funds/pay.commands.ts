import { withdrawalState } from '@aisle/contract/funds/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Services, Tx } from '../../kernel/context'
import { stateTo } from '../../kernel/states'
import { openBankAccount } from '../merchant/public'
import type { OpenBank } from './bank.channel'
import { unheard } from './bank.rules'
import type { BankAnswer } from './bank.types'
import { heldBack } from './funds.store'
import { secretOf } from './payoutAccount'
import { backPostings, decide, latePostings, paidPostings, returnedPostings } from './withdrawal.rules'
import { append, lock, lockAvailable, post, type Row, withdrawals } from './withdrawal.store'

/** Longer than the bank is waited for: who takes a withdrawal and dies leaves it to the next after that. */
const LEASE_MS = 2 * 60_000
const AT_ONCE = 8

type Claimed = {
  id: number
  merchantId: number
  no: string
  amountFen: number
  bankAccountId: number
  /** The bank may have heard of it: it is asked before it is told again. */
  isKnown: boolean
  address: string
  customerNo: string
  secret: Buffer
  holderId: number
}

/**
 * Pays what was approved and whose day has come, and asks what became of the rest. The intent is committed before the
 * call and the answer after it; whatever breaks between leaves one that is asked about next under its own number.
 */
export async function payWithdrawals(services: Services, open: OpenBank): Promise<void> {
  for (;;) {
    const claimed = await claim(services)
    if (claimed.length === 0) return
    for (const one of claimed) {
      const answer = await ask(services, one, open)
      await takeAnswer(services, one.id, answer)
    }
  }
}

async function claim({ db, clock }: Services): Promise<Claimed[]> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await sql<Claimed & { isNew: boolean }>`
      select w.id, w.merchant_id as "merchantId", w.no, w.amount_fen as "amountFen",
        w.bank_account_id as "bankAccountId", w.sent_at is not null as "isKnown", w.sent_at is null as "isNew",
        p.address, p.customer_no as "customerNo", p.secret, p.merchant_id as "holderId"
      from withdrawal w join merchant m on m.id = w.merchant_id join payout_account p on p.id = w.payout_account_id
      join bank_account b on b.id = w.bank_account_id
      where w.next_at <= ${now} and ${heldBack} is null
      order by w.next_at, w.id limit ${sql.lit(AT_ONCE)} for update of w skip locked`.execute(tx)
    for (const { id, isNew } of found.rows) {
      await sql`update withdrawal set next_at = ${new Date(now.getTime() + LEASE_MS)}, asks = asks + 1,
        ${isNew ? sql`state = ${stateTo(withdrawalState, 'send')}, sent_at = ${now}, tries = 1,` : sql``}
        version = version + 1 where id = ${id}`.execute(tx)
      if (isNew) await append(tx, id, { verb: 'send' }, now)
    }
    return found.rows
  })
}

async function ask(services: Services, one: Claimed, open: OpenBank): Promise<BankAnswer> {
  const { db, keys, clock } = services
  // Keys that do not open are no reason to lose it: it is asked about again, and a person reads why.
  const secret = secretOf(keys, one)
  const account = await openBankAccount(db, keys, one.bankAccountId).catch(() => null)
  if (secret === null || !account) return unheard('noBank')
  const bank = open({ ...one, secret }, clock.now())
  if (one.isKnown) {
    const said = await bank.query(one.no)
    if (said.outcome !== 'notFound' || !(await isUnderWay(services, one.id))) return said
    await sql`update withdrawal set tries = tries + 1 where id = ${one.id}`.execute(db)
  }
  const { no: reference, amountFen } = one
  const { holder, bankFullName, accountNumber } = account
  return bank.pay({ reference, amountFen, holder, bank: bankFullName, accountNumber })
}

/** What has ended is asked about alone. */
async function isUnderWay({ db }: Services, id: number): Promise<boolean> {
  const found = await sql<{ state: Row['state'] }>`select state from withdrawal where id = ${id}`.execute(db)
  return found.rows.some(({ state }) => withdrawalState.is(state, 'underWay'))
}

export async function takeAnswer({ db, clock }: Services, id: number, said: BankAnswer): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const row = await lock(tx, id)
    const { verbs, detail, nextAt } = decide(row, said, now)
    for (const verb of verbs) {
      row.state = await withdrawals.move(tx, row, verb, changeOf(verb, said, now))
      await book(tx, row, verb, now)
      await append(tx, id, { verb, note: said.code ?? said.bankNo }, now)
    }
    await tx.updateTable('withdrawal').set({ detail, nextAt }).where('id', '=', id).execute()
    if (verbs.length === 0) return
    await announce(tx, { topic: 'changes', kinds: ['withdrawal'], merchantIds: [row.merchantId], above: [] })
  })
}

type Verb = keyof typeof withdrawalState.moves

function changeOf(verb: Verb, { bankNo }: BankAnswer, now: Date) {
  if (verb === 'confirm' || verb === 'confirmLate') return { paidAt: now, endedAt: now, ...(bankNo && { bankNo }) }
  return verb === 'fail' || verb === 'giveBack' ? { endedAt: now } : {}
}

async function book(tx: Tx, row: Row, verb: Verb, now: Date): Promise<void> {
  if (verb === 'confirm') await post(tx, row, 'paid', paidPostings(row), now)
  if (verb === 'fail') await post(tx, row, 'back', backPostings(row), now)
  if (verb === 'giveBack') await post(tx, row, 'returned', returnedPostings(row), now)
  if (verb !== 'confirmLate') return
  await post(tx, row, 'late', latePostings(row, await lockAvailable(tx, row.merchantId)), now)
}
