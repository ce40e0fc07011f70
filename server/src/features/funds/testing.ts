import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import * as contract from '@aisle/contract/funds/withdrawal'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { addBankAccount, openTestBank } from '../../testing/bank'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { postTransfers } from '../ledger/public'
import { openBank } from './bank.channel'
import { routes } from './funds.routes'
import { payWithdrawals } from './pay.commands'

export const NOON = new Date('2026-11-20T04:00:00Z')
/** Of the next day in China. */
export const NEXT = new Date('2026-11-21T01:00:00Z')
export const anywhere = { address: () => true, ip: () => true }
export let world: World
let http: HttpWorld
export let bank: Awaited<ReturnType<typeof openTestBank>>
export let platformId: number
export let merchantId: number
export let asker: number
export let first: number
export let second: number
export let now: Date

let started: Record<string, number>

/** A platform that holds the money, two of its people, and before each test a merchant with 1,000 yuan and a bank. */
export function openFunds(): void {
  beforeAll(async () => {
    world = await openWorld(NOON)
    http = await openHttp(world, routesWith(...routes))
    const { db } = world.services
    platformId = await addMerchant(db)
    first = await person(platformId, 'platform_admin')
    second = await person(platformId, 'platform_admin')
  })
  afterAll(async () => {
    await http.close()
    await world.close()
  })
  beforeEach(async () => {
    now = NOON
    world.setNow(NOON)
    const { db } = world.services
    await sql`delete from setting`.execute(db)
    await sql`update withdrawal set next_at = null`.execute(db)
    bank = await openTestBank('of-the-bank')
    merchantId = await addMerchant(db, { parentId: platformId })
    asker = await person(merchantId, 'merchant_admin')
    await as(first, putPayoutAccount, { merchantId: platformId, ...payer() })
    await approveAccount(merchantId)
    await earn(100_000)
    started = await balancesOf(platformId)
  })
  afterEach(() => bank.close())
}

export const person = async (of: number, kind: 'platform_admin' | 'merchant_admin' | 'ordinary') =>
  (await addUser(world.services.db, { merchantId: of, kind, grants: ['withdrawal.*'] })).id

export const payer = () => ({
  fundsMode: 'custody',
  holder: 'Licensed Pay',
  bank: 'Custody Bank',
  customerNo: 'C1',
  address: bank.address,
  secret: 'of-the-bank',
})

export async function call(userId: number, endpoint: Endpoint, input?: Record<string, unknown>) {
  const token = await addSession(world.services.db, userId, now)
  return http.call(endpoint, input, { token })
}
export async function as<T>(userId: number, endpoint: Endpoint, input?: Record<string, unknown>): Promise<T> {
  const { status, body } = await call(userId, endpoint, input)
  expect([status, body.code]).toEqual([200, 'H0000'])
  return body.data as T
}
export const refusalOf = async (userId: number, endpoint: Endpoint, input: Record<string, unknown>) =>
  (await call(userId, endpoint, input)).body.code

export const approveAccount = (of: number, at = new Date('2026-11-01T04:00:00Z')): Promise<number> =>
  addBankAccount(world.services, { merchantId: of, askedBy: asker, approvedBy: first, at })

let settled = 0
export async function earn(amountFen: number, of = merchantId): Promise<void> {
  settled += 1
  const entry = (kind: 'pending' | 'available', fen: number) => ({
    account: { kind, merchantId: of, key: '' },
    amountFen: fen,
  })
  const transfer = {
    kind: 'settlement' as const,
    reference: String(settled),
    merchantId: of,
    postedAt: now,
    businessDay: '2026-11-20',
    postings: [entry('pending', amountFen), entry('available', -amountFen)],
  }
  await world.services.db.transaction().execute((tx) => postTransfers(tx, [transfer]))
}

async function balancesOf(of: number): Promise<Record<string, number>> {
  const found = await sql<{ name: string; fen: number }>`select kind || case when key = '' then '' else ':' || key end
      as name, balance_fen as fen
    from ledger_account where merchant_id = ${of} and kind <> 'pending' order by 1`.execute(world.services.db)
  return Object.fromEntries(found.rows.map(({ name, fen }) => [name, fen]))
}
/** The merchant's, and what the platform's have moved by. */
export async function balances() {
  const own = Object.entries(await balancesOf(merchantId))
  const moved = Object.entries(await balancesOf(platformId)).map(
    ([name, fen]) => [`${name}@platform`, fen - (started[name] ?? 0)] as const,
  )
  return Object.fromEntries([...own, ...moved].filter(([, fen]) => fen !== 0))
}
export const moveTo = (to: Date): void => {
  now = to
  world.setNow(to)
}
export const pass = async (
  to: Date,
  open = (line: Parameters<typeof openBank>[0], at: Date) => openBank(line, at, anywhere),
) => {
  moveTo(to)
  await payWithdrawals(world.services, open)
}
export const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
export type Made = { id: number; state: string }
export const ask = (amountFen: number) => as<Made>(asker, contract.applyWithdrawal, { merchantId, amountFen })
export const stateOf = async (id: number) =>
  (await as<{ state: string; detail: string | null }>(asker, contract.getWithdrawal, { id })).state

export async function approved(amountFen = 50_000): Promise<number> {
  const { id } = await ask(amountFen)
  await as(first, contract.approveWithdrawal, { id })
  return id
}
