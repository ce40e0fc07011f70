import { createHmac } from 'node:crypto'
import { defaultKdf } from '@aisle/contract/identity/signin'
import { shippedPasswords } from '@aisle/contract/identity/weakPassword'
import { sql } from 'kysely'
import type { AuthKeys, Reader, Services } from '../../../kernel/context'
import { endAllBegun } from '../account/account.commands'
import { kdfFrom, openCredential, saltFor } from './credential'
import * as credentialStore from './credential.store'
import { deriveApart } from './derive'

type Own = Pick<Services, 'db' | 'keys' | 'clock'>

/** How many threads try passwords at a start: more than the processors there usually are would only wait. */
const AT_ONCE = 2

/**
 * Whose password, of accounts enabled or not, is one that the product ships. What was not looked at yet is looked at
 * now, a fifth of a second each, and remembered: the next start asks the database alone.
 */
export async function accountsWithShipped({ db, keys }: Own): Promise<string[]> {
  const left = await unknown(db)
  const look = async () => {
    for (let row = left.pop(); row; row = left.pop()) await lookAt(db, keys, row)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  const found = await sql<{ account: string }>`select u.account from credential c join app_user u on u.id = c.user_id
    where c.is_shipped order by u.account`.execute(db)
  return found.rows.map(({ account }) => account)
}

type Unknown = { userId: number; account: string; kdf: string; storedKey: Buffer; serverKey: Buffer }

async function unknown(db: Reader): Promise<Unknown[]> {
  const found = await sql<Unknown>`select c.user_id as "userId", u.account, c.kdf, c.stored_key as "storedKey",
      c.server_key as "serverKey"
    from credential c join app_user u on u.id = c.user_id where c.is_shipped is null`.execute(db)
  return found.rows
}

async function lookAt(db: Reader, keys: AuthKeys, row: Unknown): Promise<void> {
  const { userId, account, kdf, storedKey, serverKey } = row
  const opened = openCredential(keys, userId, { storedKey, serverKey })
  const known = { salt: saltFor(keys, account), kdf: kdfFrom(kdf), storedKey: opened.storedKey }
  const isShipped = await credentialStore.isOfShipped(known)
  // Set anew meanwhile, it was looked at by whoever set it.
  await sql`update credential set is_shipped = ${isShipped}
    where user_id = ${userId} and stored_key = ${storedKey}`.execute(db)
}

/** Tells whether two accounts were given one password, and to whom lacks the key file nothing. */
export const demoMacOf = (keys: AuthKeys, password: string): Buffer =>
  createHmac('sha256', keys.device).update(`demo|v1|${password}`).digest()

export const isShippedPassword = (password: string): boolean => shippedPasswords.includes(password)

/**
 * Puts the demo's password in force for every account that still has one which the demo gave; what a person chose
 * stays. A start without `DEMO_PASSWORD` never takes one of somebody's own back to the one that everybody knows.
 * @returns the accounts that have it now
 */
export async function enforceDemoPassword(services: Own, password: string): Promise<string[]> {
  const { db, keys } = services
  await accountsWithShipped(services)
  const demoMac = demoMacOf(keys, password)
  if (isShippedPassword(password)) {
    await sql`update credential set demo_mac = ${demoMac} where is_shipped and demo_mac is null`.execute(db)
  } else await replaceGiven(services, password, demoMac)
  const holders = await sql<{ account: string }>`select u.account
    from credential c join app_user u on u.id = c.user_id where c.demo_mac = ${demoMac}`.execute(db)
  return holders.rows.map(({ account }) => account)
}

async function replaceGiven({ db, keys, clock }: Own, password: string, demoMac: Buffer): Promise<void> {
  const isGiven = sql`(c.is_shipped or c.demo_mac is not null) and c.demo_mac is distinct from ${demoMac}`
  const given = await sql<{ userId: number; account: string }>`
    select c.user_id as "userId", u.account from credential c join app_user u on u.id = c.user_id
    where ${isGiven} order by c.user_id`.execute(db)
  for (const { userId, account } of given.rows) {
    const opened = await deriveApart(password, saltFor(keys, account), defaultKdf)
    const at = clock.now()
    await db.transaction().execute(async (tx) => {
      // Another server may be up, where somebody chose one meanwhile.
      const held = await sql`select from credential c where user_id = ${userId} and ${isGiven} for update`.execute(tx)
      if (held.rows.length === 0) return
      const credential = { userId, kdf: defaultKdf, opened, mustChange: false, at, demoMac }
      await credentialStore.write(tx, keys, credential)
      await endAllBegun(tx, userId, 'password', at)
    })
  }
}
