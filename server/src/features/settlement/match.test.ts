import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addUser } from '../../testing/fixtures'
import { match } from './match.commands'
import { closeClean } from './run.commands'
import { lockRun, type Run } from './run.store'
import { settleRest } from './settle.commands'
import {
  at,
  balances,
  type Books,
  giveBack,
  importBill,
  inTx,
  openBooks,
  paymentLine,
  refundLine,
  runOf,
  sell,
} from './testing'

let books: Books
beforeEach(async () => {
  books = await openBooks()
})
afterEach(() => books.world.close())

async function matchRun(run: Run): Promise<Run> {
  const { clock } = books.world.services
  await inTx(books, async (tx) => {
    const held = await lockRun(tx, run.id)
    if (held) await match(tx, held, clock.now())
  })
  return runOf(books, run.day)
}

async function differences() {
  const found = await sql<{ kind: string; state: string; our: number | null; their: number | null }>`
    select kind, state, our_fen as our, their_fen as their from settlement_difference order by kind, state, id`.execute(
    books.db,
  )
  return found.rows.map(({ kind, state, our, their }) => `${kind} ${state} ${our ?? '-'} ${their ?? '-'}`)
}

test('a day that agrees closes by itself and settles each order once, less fees', async () => {
  const [one, two] = [await sell(books), await sell(books, at('13:00'), 500)]
  const back = await giveBack(books, two, 200)
  const run = await runOf(books)
  expect(await importBill(books, run, 'trade', [paymentLine(one), paymentLine(two), refundLine(back)])).toBe('new')
  const matched = await matchRun(run)
  expect(matched).toMatchObject({ state: 'matched', openCount: 0, waitingCount: 0 })
  expect(await balances(books.db)).toEqual({
    [`channel_balance:${run.channelId}`]: 1291,
    'channel_fee:wechat': 9,
    pending: -1300,
  })
  expect(await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))).toBe(true)
  // 0.6 % of 1000 and of 300, and 1 % of 1300 for the function.
  const settled = await sql`select orders, refunds, gross_fen, refund_fen, channel_fee_fen, function_fee_fen, net_fen
    from settlement`.execute(books.db)
  expect(settled.rows).toEqual([
    {
      orders: 2,
      refunds: 1,
      gross_fen: 1500,
      refund_fen: 200,
      channel_fee_fen: 8,
      function_fee_fen: 13,
      net_fen: 1279,
    },
  ])
  expect(await balances(books.db)).toMatchObject({ available: -1279, 'fees:wechat': -8, 'fees:function': -13 })
  expect(await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))).toBe(false)
  expect(await inTx(books, (tx) => settleRest(tx, at('02:00', '2026-11-23')))).toBe(0)
})

test('the same bill a second time changes nothing, and another one is not taken', async () => {
  const one = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(one)])
  await matchRun(run)
  const before = await balances(books.db)
  expect(await importBill(books, run, 'trade', [paymentLine(one)])).toBe('same')
  expect(await importBill(books, run, 'trade', [paymentLine({ ...one, paidFen: 7 })])).toBe('other')
  for (let i = 0; i < 3; i += 1) await matchRun(run)
  expect(await balances(books.db)).toEqual(before)
  expect(await differences()).toEqual([])
})

test('what one side has alone or otherwise is a difference, and its money stands where it can be seen', async () => {
  const [known, , other] = [await sell(books), await sell(books), await sell(books)]
  const run = await runOf(books)
  await importBill(books, run, 'trade', [
    paymentLine(known),
    paymentLine({ ...other, paidFen: 900 }),
    paymentLine({ attemptNo: 'NOBODYS001', channelNo: '77', paidFen: 300 }),
    refundLine({ refundNo: 'NOBODYSREFUND', amountFen: 50 }),
  ])
  await matchRun(run)
  expect(await differences()).toEqual([
    'amount_differs open 1000 900',
    'only_ours open 1000 -',
    'only_theirs open - 300',
    'refund_only_theirs open - 50',
  ])
  // Ours alone is still in clearing; 100 too little, 300 too much, 50 gone without a reason.
  expect(await balances(books.db)).toMatchObject({ 'clearing:wechat': 1000, 'suspense:wechat': 100 - 300 + 50 })
})

test('what was paid at the end of the day waits for the next bill before it is a difference', async () => {
  const [late, lost] = [await sell(books, at('23:59')), await sell(books, at('23:50'))]
  const run = await runOf(books)
  await importBill(books, run, 'trade', [])
  expect(await matchRun(run)).toMatchObject({ openCount: 0, waitingCount: 2 })
  expect(await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))).toBe(false)
  books.world.setNow(at('11:00', '2026-11-22'))
  const next = await runOf(books, '2026-11-21')
  await importBill(books, next, 'trade', [paymentLine(late, { at: at('00:00', '2026-11-21') })])
  await matchRun(next)
  expect(await differences()).toEqual(['only_ours open 1000 -', 'only_ours resolved 1000 -'])
  expect(await runOf(books)).toMatchObject({ openCount: 1, waitingCount: 0 })
  expect(lost.paidFen).toBe(1000)
})

test('a payment is found by the channel’s number where ours is missing, and by one line alone', async () => {
  const one = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [
    paymentLine({ channelNo: one.channelNo, paidFen: 1000 }),
    paymentLine({ channelNo: one.channelNo, paidFen: 1000 }),
  ])
  await matchRun(run)
  expect(await differences()).toEqual(['only_theirs open - 1000'])
})

test('what came for an order that was paid otherwise is nobody’s in its bill, until it went back', async () => {
  const read = await sell(books)
  const user = await addUser(books.db, { merchantId: books.platformId })
  const made = await sql<{ id: number }>`insert into unclaimed_payment (provider_account_id, provider, channel_no,
      attempt_no, amount_fen, paid_at, noted_at, cause)
    select provider_account_id, 'wechat', ${read.channelNo}, ${read.attemptNo}, 1000, ${at('12:00')}, ${at('12:00')},
      'paid_twice' from payment_account where id = ${books.accountId} returning id`.execute(books.db)
  const id = made.rows[0]?.id ?? 0
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(read)])
  await matchRun(run)
  expect(await differences()).toEqual(['only_theirs open - 1000'])
  // The reader's money is still to come another way, and no bill is waited for it.
  expect(await balances(books.db)).toMatchObject({ 'clearing:wechat': 1000, 'suspense:wechat': -1000 })
  expect(await inTx(books, (tx) => settleRest(tx, at('02:00', '2026-11-21')))).toBe(984)
  await sql`update unclaimed_payment set state = 'refunded', decision = 'refund', reason = 'paid twice',
    decided_by = ${user.id}, decided_at = ${at('13:00')}, ended_at = ${at('13:00', '2026-11-21')}
    where id = ${id}`.execute(books.db)
  books.world.setNow(at('11:00', '2026-11-22'))
  const next = await runOf(books, '2026-11-21')
  const refundNo = `UP${String(id).padStart(10, '0')}`
  await importBill(books, next, 'trade', [refundLine({ refundNo, amountFen: 1000 })])
  await matchRun(next)
  expect(await differences()).toEqual(['only_theirs resolved - 1000'])
  expect(await balances(books.db)).not.toHaveProperty('suspense:wechat')
})

test('of two lines under one number of ours the payment is the one with the channel’s number', async () => {
  const one = await sell(books)
  const run = await runOf(books)
  const again = paymentLine({ ...one, channelNo: '77', paidFen: 300 })
  await importBill(books, run, 'trade', [again, paymentLine(one)])
  await matchRun(run)
  expect(await differences()).toEqual(['only_theirs open - 300'])
})

test('fees, the end balance and payouts are compared with the fund bill; a payout is on its way', async () => {
  const one = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(one)])
  const fund = (kind: 'fund_payment' | 'fund_fee' | 'fund_payout', amountFen: number, balanceFen: number) => ({
    ...paymentLine({ paidFen: amountFen }),
    kind,
    amountFen,
    balanceFen,
    feeFen: 0,
  })
  await importBill(books, run, 'fund', [
    fund('fund_payment', 1000, 5000),
    fund('fund_fee', -6, 4994),
    fund('fund_payout', -4000, 994),
  ])
  await matchRun(run)
  expect(await differences()).toEqual([])
  const held = await sql`select our_balance_fen, their_balance_fen, payout_fen from settlement_run
    where id = ${run.id}`.execute(books.db)
  expect(held.rows).toEqual([{ our_balance_fen: 994, their_balance_fen: 994, payout_fen: 4000 }])
  expect(await balances(books.db)).toMatchObject({ [`payout_in_transit:${run.channelId}`]: 4000 })
})

test('an order is settled once its refund has ended, however long that takes', async () => {
  const [quick, slow] = [await sell(books), await sell(books, at('13:00'), 500)]
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(quick), paymentLine(slow)])
  await matchRun(run)
  await sql`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id,
      amount_fen, cause, state, detail, requested_at)
    select 'REFUNDSLOW', o.id, o.merchant_id, o.occurred_at, o.machine_id, o.order_no, 'wechat', ${slow.attemptId}, 100,
      'jam', 'needs_handling', 'abnormal', ${at('14:00')} from orders o where o.id = ${slow.orderId}`.execute(books.db)
  await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))
  expect(await balances(books.db)).toMatchObject({ pending: -500, available: -984 })
  const late = at('12:00', '2027-03-01')
  await sql`select ensure_partitions('2027-03-01'::date, '2027-03-01'::date)`.execute(books.db)
  books.world.setNow(late)
  expect(await inTx(books, (tx) => settleRest(tx, late))).toBe(0)
  await sql`update refund set state = 'rejected', ended_at = ${late} where refund_no = 'REFUNDSLOW'`.execute(books.db)
  expect(await inTx(books, (tx) => settleRest(tx, late))).toBe(492)
  expect(await inTx(books, (tx) => settleRest(tx, late))).toBe(0)
  const { pending, available } = await balances(books.db)
  expect({ pending, available }).toEqual({ pending: undefined, available: -1476 })
})

test('a refund that comes after its order was settled is taken off the next settlement', async () => {
  const one = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(one)])
  await matchRun(run)
  await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))
  const back = await giveBack(books, one, 1000, at('11:30', '2026-11-21'))
  const small = await sell(books, at('12:00', '2026-11-21'), 400)
  books.world.setNow(at('11:00', '2026-11-22'))
  const next = await runOf(books, '2026-11-21')
  await importBill(books, next, 'trade', [paymentLine(small), refundLine(back)])
  await matchRun(next)
  // Settled 984; the refund of 1000 has left the merchant's pending money, where 400 of the next day are.
  expect(await balances(books.db)).toMatchObject({ available: -984, pending: 600 })
  expect(await inTx(books, (tx) => closeClean(tx, next.id, books.world.services.clock.now()))).toBe(true)
  const { available, pending } = await balances(books.db)
  expect({ available, pending }).toEqual({ available: -(984 + 394 - 1000), pending: undefined })
})
