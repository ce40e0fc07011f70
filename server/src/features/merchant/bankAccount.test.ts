import {
  approveBankAccount,
  draftBankAccount,
  editBankAccount,
  getBankAccount,
  listBankAccounts,
  rejectBankAccount,
  revealBankAccount,
  submitBankAccount,
  withdrawBankAccount,
} from '@aisle/contract/merchant/bankAccount'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './bankAccount.routes'
import { countPendingReviews, openBankAccount } from './public'

const NOON = new Date('2026-11-20T04:00:00Z')
const ACCOUNT = '120987654321'
let world: World
let http: HttpWorld
let family: Family
let asker: Person
let reviewer: Person

type Person = Awaited<ReturnType<typeof personOf>>

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(world.services.db, NOON)
  asker = await personOf(['bankAccount.read', 'bankAccount.write', 'bankAccount.review'])
  reviewer = await personOf(['bankAccount.*'])
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await sql`delete from withdrawal`.execute(world.services.db)
  await sql`delete from bank_account`.execute(world.services.db)
})

async function personOf(grants: readonly string[]) {
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants })
  const token = await addSession(world.services.db, user.id, NOON)
  return {
    id: user.id,
    call: async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
      const { status, body } = await http.call(endpoint, input, { token })
      return { status, code: body.code, data: body.data as Record<string, unknown>, fields: body.fields }
    },
  }
}

const wording = (more: Record<string, unknown> = {}) => ({
  holderKind: 'company',
  holder: 'Ours Ltd',
  documentKind: 'business_licence',
  bank: 'Bank',
  bankCity: 'Hangzhou',
  branch: 'North',
  bankFullName: 'Bank of Hangzhou, North',
  shortName: 'Ours',
  storeName: 'Ours store',
  businessType: 'Vending',
  province: 'Zhejiang',
  city: 'Hangzhou',
  street: 'Road 1',
  contact: 'Li',
  contactPhone: '0571-88886666',
  accountNumber: ACCOUNT,
  documentNumber: '91330100MA2X',
  ...more,
})

async function drafted(more: Record<string, unknown> = {}): Promise<number> {
  const made = await asker.call(draftBankAccount, { merchantId: family.ours.merchantId, ...wording(more) })
  expect([made.status, made.code]).toEqual([200, 'H0000'])
  return Number(made.data.id)
}

async function approved(more: Record<string, unknown> = {}): Promise<number> {
  const id = await drafted(more)
  await asker.call(submitBankAccount, { id, version: 1 })
  expect(await reviewer.call(approveBankAccount, { id, version: 2 })).toMatchObject({ status: 200 })
  return id
}

async function inForce() {
  const { db, keys } = world.services
  const found = await sql<{ id: number }>`select id from bank_account where state = 'approved'
    and merchant_id = ${family.ours.merchantId}`.execute(db)
  return found.rows[0] ? openBankAccount(db, keys, found.rows[0].id) : null
}

test('nothing is in force until somebody else has approved it, and then that is', async () => {
  const { db } = world.services
  const id = await drafted()
  expect(await inForce()).toBeNull()
  await asker.call(submitBankAccount, { id, version: 1 })
  expect(await countPendingReviews(db, { kind: 'all' })).toBe(1)
  const own = await asker.call(approveBankAccount, { id, version: 2 })
  expect([own.status, own.code]).toEqual([403, 'bankAccount.ownRequest'])
  expect(await inForce()).toBeNull()
  expect(await reviewer.call(approveBankAccount, { id, version: 2 })).toMatchObject({ status: 200 })
  expect(await inForce()).toMatchObject({ id, accountNumber: ACCOUNT })
  const told = await sql`select user_id as "userId", vars from outbox_message
    where type = 'bankAccount.reviewed'`.execute(db)
  expect(told.rows).toEqual([{ userId: asker.id, vars: expect.objectContaining({ merchant: expect.any(String) }) }])
})

test('who changed a draft that another sent may not review it either, and the database would not take it', async () => {
  const id = await drafted()
  const { accountNumber: _a, documentNumber: _d, ...words } = wording({ holder: 'Changed' })
  expect(await reviewer.call(editBankAccount, { id, version: 1, ...words })).toMatchObject({ status: 200 })
  await asker.call(submitBankAccount, { id, version: 2 })
  expect((await reviewer.call(approveBankAccount, { id, version: 3 })).code).toBe('bankAccount.ownRequest')
  const forced = sql`update bank_account set state = 'approved', reviewed_by = ${reviewer.id}, reviewed_at = now()
    where id = ${id}`.execute(world.services.db)
  await expect(forced).rejects.toThrow(/bank_account_two_people/)
})

test('another approval replaces the first, and shows the change although the last digits agree', async () => {
  const first = await approved()
  world.setNow(new Date(NOON.getTime() + 60_000))
  const second = await drafted({ accountNumber: `99${ACCOUNT.slice(2)}`, holder: 'Other Ltd' })
  const { changes } = (await reviewer.call(getBankAccount, { id: second })).data
  expect(changes).toEqual([
    { field: 'holder', before: 'Ours Ltd', after: 'Other Ltd' },
    { field: 'accountNumber', before: '•••• 4321', after: '•••• 4321' },
  ])
  await asker.call(submitBankAccount, { id: second, version: 1 })
  await reviewer.call(approveBankAccount, { id: second, version: 2 })
  expect(await inForce()).toMatchObject({ id: second })
  const listed = (await reviewer.call(listBankAccounts, {})).data.items as { id: number; state: string }[]
  expect(listed.map(({ id, state }) => [id, state])).toEqual([
    [second, 'approved'],
    [first, 'replaced'],
  ])
})

test('the number is nowhere to be read but by revealing it, which is kept', async () => {
  const { db } = world.services
  const id = await approved()
  const kept = await sql<{ text: string }>`select
    coalesce((select string_agg(row_to_json(b)::text, '') from bank_account b), '')
    || coalesce((select string_agg(row_to_json(a)::text, '') from audit_log a), '')
    || coalesce((select string_agg(row_to_json(i)::text, '') from idempotency_key i), '') as text`.execute(db)
  expect(kept.rows[0]?.text).not.toContain(ACCOUNT)
  const refused = await asker.call(revealBankAccount, { id })
  expect(refused.status).toBe(403)
  expect((await reviewer.call(revealBankAccount, { id })).data).toEqual({
    accountNumber: ACCOUNT,
    documentNumber: '91330100MA2X',
  })
  const looked = await sql`select user_id as "userId", after from audit_log
    where action = 'merchant.revealBankAccount'`.execute(db)
  expect(looked.rows).toEqual([{ userId: reviewer.id, after: { revealed: '•••• 4321' } }])
})

test('a merchant has one open request; once that is taken back or rejected there can be another', async () => {
  const id = await drafted()
  const second = await asker.call(draftBankAccount, { merchantId: family.ours.merchantId, ...wording() })
  expect([second.status, second.code]).toEqual([409, 'bankAccount.open'])
  await asker.call(withdrawBankAccount, { id, version: 1 })
  const next = await drafted()
  await asker.call(submitBankAccount, { id: next, version: 1 })
  expect(await reviewer.call(rejectBankAccount, { id: next, version: 2, reason: 'Scan unreadable' })).toMatchObject({
    status: 200,
  })
  expect((await asker.call(getBankAccount, { id: next })).data).toMatchObject({
    state: 'rejected',
    reason: 'Scan unreadable',
  })
  const again = await reviewer.call(approveBankAccount, { id: next, version: 3 })
  expect([again.status, again.code]).toEqual([409, 'bankAccount.state'])
})

test('who reviews what has changed since they read it is told so', async () => {
  const id = await drafted()
  await asker.call(submitBankAccount, { id, version: 1 })
  const late = await reviewer.call(approveBankAccount, { id, version: 1 })
  expect([late.status, late.code]).toEqual([409, 'edit.stale'])
})

test("each field of the specification is required, and a person's card number has to fit its check digit", async () => {
  const { holder, bank, bankCity, bankFullName, shortName, storeName, ...rest } = wording()
  const empty = await asker.call(draftBankAccount, { merchantId: family.ours.merchantId, ...rest })
  expect(empty.status).toBe(422)
  expect((empty.fields as { path: string }[]).map(({ path }) => path).sort()).toEqual(
    ['holder', 'bank', 'bankCity', 'bankFullName', 'shortName', 'storeName'].sort(),
  )
  expect([holder, bank, bankCity, bankFullName, shortName, storeName].every(Boolean)).toBe(true)
  const person = wording({ holderKind: 'person', accountNumber: '6222021234567890129' })
  const mistyped = await asker.call(draftBankAccount, { merchantId: family.ours.merchantId, ...person })
  expect([mistyped.status, mistyped.code]).toEqual([422, 'bankAccount.checkDigit'])
  await drafted({ holderKind: 'person', accountNumber: '6222021234567890128' })
})

test('two people who approve at once approve once', async () => {
  const id = await drafted()
  await asker.call(submitBankAccount, { id, version: 1 })
  const other = await personOf(['bankAccount.review'])
  const answers = await Promise.all(
    [reviewer, other].map((person) => person.call(approveBankAccount, { id, version: 2 })),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
})
