import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import { withdrawalState } from '@aisle/contract/funds/states'
import * as contract from '@aisle/contract/funds/withdrawal'
import { sql } from 'kysely'
import { openBank } from '../features/funds/bank.channel'
import { payWithdrawals } from '../features/funds/pay.commands'
import { readStatements } from '../features/funds/statement.commands'
import { entry, postTransfers } from '../features/ledger/public'
import { statesIn } from '../kernel/states'
import { addBankAccount, openTestBank } from './bank'
import { addUser } from './fixtures'
import type { Desk } from './moneySimulation.people'
import type { World } from './world'

const SECRET = 'of-the-bank'
const chinaDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
const anywhere = { address: () => true, ip: () => true }
const open: typeof openBank = (line, now) => openBank(line, now, anywhere)

type Random = (below: number) => number
type Owner = { merchantId: number; userId: number }

/** Merchants with an account, what is kept of what is paid to them, and the bank that pays it. */
export type Treasury = {
  /** Somebody asks for money, or decides about what was asked for. */
  withdraw: () => Promise<void>
  /** What is due goes to the bank, and its answers are heard. */
  pay: () => Promise<void>
  /** The bank's statements of the days that are over. */
  readStatements: () => Promise<void>
  /** It has heard of nothing, and behaves as this chance says. */
  begin: (random: Random) => void
  faults: () => Promise<string[]>
  close: () => Promise<unknown>
}

/** Above it two people look at a withdrawal: most are below. */
const TWO_PEOPLE_FEN = 1_500
const BEFORE_FEN = 12_000
const ends = [['paid'], ['paid'], ['paid'], ['failed'], ['paid', 'returned'], ['failed', 'paid']] as const

export async function openTreasury(desk: Desk, platformId: number, merchantIds: readonly number[]): Promise<Treasury> {
  const { world, call } = desk
  const bank = await openTestBank(SECRET)
  const { db, clock } = world.services
  const { id: reviewer } = await addUser(db, { merchantId: platformId, grants: [] })
  const owners: Owner[] = []
  for (const merchantId of merchantIds) {
    const { id: userId } = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['withdrawal.*'] })
    owners.push({ merchantId, userId })
  }
  const longAgo = () => new Date(clock.now().getTime() - 3 * 86_400_000)
  const approve = async ({ merchantId, userId }: Owner) => {
    await sql`update bank_account set state = 'replaced' where merchant_id = ${merchantId}`.execute(db)
    return addBankAccount(world.services, { merchantId, askedBy: userId, approvedBy: reviewer, at: longAgo() })
  }
  for (const owner of owners) {
    await approve(owner)
    await bringForward(world, platformId, owner.merchantId)
  }
  await sql`insert into setting (key, value) values ('withdrawal.window', '{"from": "00:00", "to": "23:59"}'),
    ('withdrawal.secondPersonFen', to_jsonb(${TWO_PEOPLE_FEN}::int))`.execute(db)
  // What the platform takes of each, and what it keeps back for the tax.
  await sql`insert into fee_rule (merchant_id, subject, rate_ppm, basis, min_fen, valid_from, created_at)
    values (${platformId}, 'withdrawal', 1000, 'order', 1, '2026-01-01', ${clock.now()}),
      (${platformId}, 'tax', 10000, 'day', 0, '2026-01-01', ${clock.now()})`.execute(db)
  const payer = { fundsMode: 'demo', holder: 'Licensed Pay', bank: 'Custody', customerNo: 'C1', secret: SECRET }
  await call(0, putPayoutAccount, { ...payer, merchantId: platformId, address: bank.address, isOn: true })
  return {
    withdraw: () => withdraw(desk, owners, approve),
    pay: () => payWithdrawals(world.services, open),
    readStatements: () => readStatements(world.services, open),
    begin: (random) => {
      bank.forget()
      // As one order ends once, it ends whenever it is asked about.
      const ended = new Map<string, (typeof ends)[number]>()
      Object.assign(bank.how, {
        delays: () => random(3),
        loses: () => random(6) === 0,
        ends: ({ reference }: { reference: string }) => {
          const end = ended.get(reference) ?? ends[random(ends.length)] ?? ends[0]
          ended.set(reference, end)
          return end
        },
        today: () => chinaDay.format(clock.now()),
      })
    },
    faults: async () => [...(await heldFaults(world)), ...(await bankFaults(world, bank))],
    close: () => bank.close(),
  }
}

/** What a merchant had before: what these days bring is mostly owed to those whose cards were shown. */
async function bringForward({ services: { db, clock } }: World, platformId: number, merchantId: number): Promise<void> {
  const at = clock.now()
  const transfer = {
    kind: 'decision' as const,
    reference: `before/${merchantId}`,
    merchantId,
    postedAt: at,
    businessDay: chinaDay.format(at),
    postings: [entry('suspense', platformId, 'bank', BEFORE_FEN), entry('available', merchantId, '', -BEFORE_FEN)],
  }
  await db.transaction().execute((tx) => postTransfers(tx, [transfer]))
}

async function withdraw(
  { world, call, callAs, random, of }: Desk,
  owners: readonly Owner[],
  approve: (owner: Owner) => Promise<number>,
) {
  const { db } = world.services
  const asked = await sql<{ id: number }>`select id from withdrawal
    where state in ${statesIn(withdrawalState, 'inTransit')} order by id desc limit 6`.execute(db)
  if (asked.rows.length === 0 || random(2) === 0) {
    const owner = of(owners)
    const { merchantId, userId } = owner
    // Often all that there is, as they do, and more.
    const own = await sql<{ fen: number }>`select -balance_fen as fen from ledger_account
      where kind = 'available' and merchant_id = ${merchantId}`.execute(db)
    const amountFen = 101 + random(Math.max(1, own.rows[0]?.fen ?? 0))
    const apply = () => callAs(userId, contract.applyWithdrawal, { merchantId, amountFen })
    const [answer] = await Promise.all(random(3) === 0 ? [apply(), apply(), apply()] : [apply()])
    if (answer?.body.code === 'withdrawal.accountReturned') await approve(owner)
    return
  }
  const { id } = of(asked.rows)
  const reason = 'the simulation says so'
  const verbs: (() => Promise<unknown>)[] = [
    () => call(0, contract.approveWithdrawal, { id }),
    () => call(0, contract.approveWithdrawal, { id }).then(() => call(1, contract.approveWithdrawal, { id })),
    () => Promise.all([call(0, contract.approveWithdrawal, { id }), call(1, contract.approveWithdrawal, { id })]),
    () =>
      Promise.all([call(0, contract.approveWithdrawal, { id }), call(1, contract.rejectWithdrawal, { id, reason })]),
    () => call(1, contract.queryWithdrawal, { id }),
    () => callAs(of(owners).userId, contract.cancelWithdrawal, { id }),
  ]
  await of(verbs)()
}

/** What is held of each merchant is what is under way. */
async function heldFaults({ services }: World): Promise<string[]> {
  const found = await sql<{ what: string }>`
    select 'merchant ' || merchant_id || ' has ' || held || ' held, its withdrawals say ' || asked as what
    from (select coalesce(a.merchant_id, w.merchant_id) as merchant_id, coalesce(a.held, 0) as held,
        coalesce(w.asked, 0) as asked
      from (select merchant_id, -balance_fen as held from ledger_account where kind = 'withdrawing') a
      full join (select merchant_id, sum(amount_fen + fee_fen) as asked from withdrawal
        where state in ${statesIn(withdrawalState, 'inTransit')} group by 1) w on w.merchant_id = a.merchant_id) each
    where each.held <> each.asked`.execute(services.db)
  return found.rows.map(({ what }) => what)
}

/** What the bank was told is ours, once and of that amount; what was never approved it has not heard of. */
async function bankFaults({ services }: World, bank: Awaited<ReturnType<typeof openTestBank>>): Promise<string[]> {
  const found = await sql<{ no: string; amountFen: number; isSent: boolean; isPaid: boolean }>`
    select no, amount_fen as "amountFen", sent_at is not null as "isSent", state = 'paid' as "isPaid"
    from withdrawal`.execute(services.db)
  const ours = new Map(found.rows.map((row) => [row.no, row]))
  const strange = [...bank.orders.values()].flatMap(({ reference, amountFen }) => {
    const own = ours.get(reference)
    return own?.isSent && own.amountFen === amountFen ? [] : [`the bank pays ${amountFen} under ${reference}`]
  })
  const unheard = found.rows.filter(({ no, isPaid }) => isPaid && !bank.orders.has(no))
  return [...strange, ...unheard.map(({ no }) => `${no} is paid, of which the bank has not heard`)]
}
