import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '../../../kernel/seal'
import { type BuiltMachine, addMachine, addMerchant, addProduct } from '../../../testing/builders'
import { type World, openWorld } from '../../../testing/world'
import { findAccounts, openAccount, openProviderByToken } from './account.store'

const now = new Date('2026-11-22T04:00:00.000Z')
let world: World
let platform: number
let middle: number
let own: number
let inherits: BuiltMachine
let special: BuiltMachine
let collects: BuiltMachine

beforeAll(async () => {
  world = await openWorld(now)
  const { db } = world.services
  platform = await addMerchant(db)
  middle = await addMerchant(db, { parentId: platform })
  const merchantId = await addMerchant(db, { parentId: middle })
  own = await addMerchant(db, { parentId: middle, collectsPayment: true })
  const products = [await addProduct(db, { merchantId: platform })]
  inherits = await addMachine(db, { merchantId, products })
  special = await addMachine(db, { merchantId, products })
  collects = await addMachine(db, { merchantId: own, products })
})
afterAll(() => world.close())

async function provider(merchantId: number, name: string, of: Provider = 'wechat'): Promise<number> {
  const made = await sql<{ id: number }>`insert into provider_account (merchant_id, provider, name, token)
    values (${merchantId}, ${of}, ${name}, ${`token-of-${name}-0123456789`}) returning id`.execute(world.services.db)
  return made.rows[0]?.id ?? 0
}

async function account(of: { merchantId: number; machineId?: number; mode: string; state?: string }): Promise<number> {
  const providerId = await provider(of.merchantId, `p${of.merchantId}${of.machineId ?? ''}${of.mode}`)
  const made = await sql<{ id: number }>`
    insert into payment_account (merchant_id, provider, provider_account_id, machine_id, funds_mode, state,
      activated_at)
    values (${of.merchantId}, 'wechat', ${providerId}, ${of.machineId ?? null}, ${of.mode},
      ${of.state ?? 'activated'}, ${of.state === 'preparing' ? null : now}) returning id`.execute(world.services.db)
  return made.rows[0]?.id ?? 0
}

const found = async (...machines: BuiltMachine[]) => {
  const asks = machines.map(({ id }) => ({ machineId: id, method: 'wechat' as const, product: 'native' as const }))
  const accounts = await findAccounts(world.services.db, asks)
  return asks.map((ask) => accounts.get(ask)?.id ?? null)
}

test('a machine collects by its own account, else its merchant, else the nearest above that may', async () => {
  expect(await found(inherits, special, collects)).toEqual([null, null, null])
  const top = await account({ merchantId: platform, mode: 'custody' })
  expect(await found(inherits, special, collects)).toEqual([top, top, null])
  await account({ merchantId: middle, mode: 'direct' })
  expect(await found(inherits)).toEqual([top])
  const its = await account({ merchantId: special.merchantId, machineId: special.id, mode: 'profit_share' })
  expect(await found(special, inherits)).toEqual([its, top])
  const theirs = await account({ merchantId: inherits.merchantId, mode: 'custody' })
  expect(await found(inherits, special)).toEqual([theirs, its])
  const direct = await account({ merchantId: own, mode: 'direct' })
  expect(await found(collects)).toEqual([direct])
})

test('no account collects by a service that is off', async () => {
  const { db } = world.services
  await sql`update payment_service set is_on = false where provider = 'wechat' and product = 'native'`.execute(db)
  expect(await found(inherits, special, collects)).toEqual([null, null, null])
  const byBarcode = { machineId: special.id, method: 'wechat' as const, product: 'barcode' as const }
  expect((await findAccounts(db, [byBarcode])).get(byBarcode)).toMatchObject({
    provider: 'wechat',
    fundsMode: 'profit_share',
  })
  await sql`update payment_service set is_on = true`.execute(db)
})

test('an activated account is not changed, not deleted, and has no second beside it', async () => {
  const { db } = world.services
  const id = await account({ merchantId: middle, machineId: inherits.id, mode: 'custody' })
  await expect(sql`update payment_account set bank = 'B' where id = ${id}`.execute(db)).rejects.toThrow(/locked/)
  await expect(sql`delete from payment_account where id = ${id}`.execute(db)).rejects.toThrow(/has collected/)
  await expect(
    sql`insert into payment_account (merchant_id, provider, provider_account_id, machine_id, funds_mode, state,
      activated_at) select merchant_id, provider, provider_account_id, machine_id, funds_mode, state, activated_at
      from payment_account where id = ${id}`.execute(db),
  ).rejects.toThrow(/payment_account_collects/)
  const numbers = sql`update provider_account set app_id = 'x' where id = (select provider_account_id
    from payment_account where id = ${id})`
  await expect(numbers.execute(db)).rejects.toThrow(/collects/)
  await sql`update payment_account set state = 'stopped', stopped_at = ${now} where id = ${id}`.execute(db)
  // What was collected is asked about and paid back under them.
  await expect(numbers.execute(db)).rejects.toThrow(/collects/)
  await expect(
    sql`update payment_account set state = 'activated', stopped_at = null where id = ${id}`.execute(db),
  ).rejects.toThrow(/locked/)
})

test('keys open for the account they were sealed for, and for no other', async () => {
  const { db, keys } = world.services
  const one = await provider(platform, 'sealed', 'unionpay')
  await sql`insert into provider_key (provider_account_id, kind, sealed, fingerprint, set_at)
    values (${one}, 'api_key', ${seal(keys, `provider:${one}:api_key`, 'a canary of 32 characters long!!')}, 'abcd',
      ${now})
  `.execute(db)
  const opened = await openProviderByToken(db, keys, 'unionpay', 'token-of-sealed-0123456789')
  expect(opened).toMatchObject({ id: one, apiKey: 'a canary of 32 characters long!!', privateKey: '' })
  expect(await openProviderByToken(db, keys, 'wechat', 'token-of-sealed-0123456789')).toBeNull()
  const other = await provider(platform, 'moved')
  await sql`insert into provider_key select ${other}, kind, sealed, pem, fingerprint, serial, subject, valid_until,
    set_by, set_at from provider_key where provider_account_id = ${one}`.execute(db)
  await expect(openProviderByToken(db, keys, 'wechat', 'token-of-moved-0123456789')).rejects.toThrow()
  expect(await openAccount(db, keys, 0)).toBeNull()
})
