import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bookFaults } from './check.reads'
import { match } from './match.commands'
import { lockRun } from './run.store'
import { closeClean } from './run.commands'
import { settleRest } from './settle.commands'
import { at, type Books, importBill, inTx, openBooks, paymentLine, replaceAccount, runOf, sell } from './testing'

let books: Books
beforeEach(async () => {
  books = await openBooks()
})
afterEach(() => books.world.close())

async function closed(day?: string): Promise<void> {
  const run = await runOf(books, day)
  await inTx(books, async (tx) => {
    const held = await lockRun(tx, run.id)
    if (held) await match(tx, held, books.world.services.clock.now())
  })
  await inTx(books, (tx) => closeClean(tx, run.id, books.world.services.clock.now()))
}

const modes = async () =>
  (await sql<{ mode: string }>`select funds_mode as mode from settlement order by id`.execute(books.db)).rows.map(
    ({ mode }) => mode,
  )

test('a day stays under the mode in which its money was collected, whatever the account is afterwards', async () => {
  const sold = await sell(books)
  await importBill(books, await runOf(books), 'trade', [paymentLine(sold)])
  await replaceAccount(books, at('12:00', '2026-11-22'), 'direct')
  books.world.setNow(at('11:00', '2026-11-24'))
  await closed()
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']
  const kept = await Promise.all(days.map(async (day) => (await runOf(books, day)).fundsMode))
  expect(kept).toEqual(['custody', 'custody', 'direct', 'direct'])
  expect(await modes()).toEqual(['custody'])
  expect(await bookFaults(books.db)).toEqual([])
})

test('days that are opened together are each under the mode of their own day', async () => {
  await replaceAccount(books, at('12:00', '2026-11-22'), 'direct')
  books.world.setNow(at('11:00', '2026-11-24'))
  expect((await runOf(books, '2026-11-21')).fundsMode).toBe('custody')
  expect((await runOf(books, '2026-11-23')).fundsMode).toBe('direct')
})

test('what a closed day had to leave for a refund is settled later under the mode of that day', async () => {
  const sold = await sell(books)
  await sql`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, attempt_id,
      amount_fen, cause, state, requested_at)
    select 'REFUND900001', o.id, o.merchant_id, o.occurred_at, o.machine_id, o.order_no, 'wechat', ${sold.attemptId},
      100, 'other', 'pending_review', ${at('14:00')} from orders o where o.id = ${sold.orderId}`.execute(books.db)
  await importBill(books, await runOf(books), 'trade', [paymentLine(sold)])
  await closed()
  expect(await modes()).toEqual([])
  await sql`update refund set state = 'rejected', ended_at = ${at('15:00', '2026-11-21')}`.execute(books.db)
  // Nothing real is collected any more.
  await replaceAccount(books, at('12:00', '2026-11-21'), 'demo')
  await inTx(books, (tx) => settleRest(tx, at('02:00', '2026-11-22')))
  expect(await modes()).toEqual(['custody'])
})

test('the mode of a closed day can not be changed, even by hand', async () => {
  const sold = await sell(books)
  await importBill(books, await runOf(books), 'trade', [paymentLine(sold)])
  await closed()
  await expect(sql`update settlement_run set funds_mode = 'direct'`.execute(books.db)).rejects.toThrow('is closed')
})
