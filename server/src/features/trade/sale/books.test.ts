import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openWorld, type World } from '../../../testing/world'
import { findMachinesById } from '../machine.lookup'
import type { PaidSale } from '../trade.types'
import { type Books, withBooks } from './books'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let machine: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  const merchantId = await addMerchant(db)
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
})
afterAll(() => world.close())

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => world.services.db.transaction().execute(work)

async function saleOf(tx: Tx, orderId: number): Promise<PaidSale> {
  const sold = must((await findMachinesById(tx, [machine.id])).get(machine.id), 'machine')
  const about = { orderId, machine: sold, pointId: sold.pointId, businessType: 'sale', isOffline: false } as const
  return {
    ...about,
    method: 'cash',
    paidFen: 500,
    discountFen: 0,
    occurredAt: NOON,
    businessDay: '2026-11-20',
    items: [],
  }
}

const posted = async (orderId: number) => {
  const found = await sql<{ count: number }>`select count(*)::int as count from ledger_transfer
    where kind = 'sale' and reference = ${String(orderId)}`.execute(world.services.db)
  return found.rows[0]?.count
}

test('what was noted is posted when the work has ended, and never by who noted it', async () => {
  await inTransaction((tx) => withBooks(tx, NOON, async (books) => books.paid([await saleOf(tx, 1)])))
  expect(await posted(1)).toBe(1)
})

test('of work that fails nothing is posted', async () => {
  const work = (tx: Tx) =>
    withBooks(tx, NOON, async (books) => {
      books.paid([await saleOf(tx, 2)])
      throw new Error('halfway')
    })
  await expect(inTransaction(work)).rejects.toThrow('halfway')
  expect(await posted(2)).toBe(0)
})

test('what is noted too late, or in second books of a transaction, is no silent loss', async () => {
  const late = inTransaction(async (tx) => {
    const kept = await withBooks(tx, NOON, (books): Promise<Books> => Promise.resolve(books))
    kept.paid([await saleOf(tx, 3)])
  })
  await expect(late).rejects.toThrow(TypeError)
  const within = (tx: Tx) => withBooks(tx, NOON, () => withBooks(tx, NOON, () => Promise.resolve()))
  await expect(inTransaction(within)).rejects.toThrow('once')
})
