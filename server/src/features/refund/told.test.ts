import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltMachine } from '../../testing/builders'
import { addUser } from '../../testing/fixtures'
import { jobs } from '../notice/notice.jobs'
import { openShop, type Shop } from './testing'
import { TELL_REFUNDS } from './told'

let shop: Shop
let machine: BuiltMachine

beforeAll(async () => {
  shop = await openShop()
  machine = await shop.newMachine()
})
afterAll(() => shop.close())

const tell = async () => {
  for (const { name, run } of jobs) if (name === TELL_REFUNDS) await run(shop.services, {})
}
const told = async () =>
  (
    await sql<{ user_id: number; body: string }>`select user_id, body from outbox_message
      where type = 'refund.needsHandling' order by id`.execute(shop.db)
  ).rows

test('who may pay back by hand is told once of refunds that no channel can pay, and nobody else', async () => {
  const { merchantId, rootId } = shop
  const above = await addUser(shop.db, { merchantId: rootId, grants: ['refund.payBack'] })
  await addUser(shop.db, { merchantId, grants: ['refund.read', 'refund.approve'] })
  await shop.cash(machine, 'T-1', [false])
  await shop.cash(machine, 'T-2', [false])
  await tell()
  const refunds = [...(await shop.refunds(`${machine.code}-T-1`)), ...(await shop.refunds(`${machine.code}-T-2`))]
  const body = expect.stringContaining(refunds.map(({ refund_no: no }) => no).join(' / '))
  expect(await told()).toEqual([{ user_id: above.id, body }])
  await tell()
  expect(await told()).toHaveLength(1)
  // Nearer than who stands above: then these are told.
  const own = await addUser(shop.db, { merchantId, grants: ['refund.*'] })
  shop.later(1)
  await shop.cash(machine, 'T-3', [false])
  await tell()
  expect((await told()).slice(1)).toMatchObject([{ user_id: own.id }])
})
