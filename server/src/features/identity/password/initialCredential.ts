import { randomInt } from 'node:crypto'
import { defaultKdf } from '@aisle/contract/identity/signin'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { saltFor } from './credential'
import * as credentialStore from './credential.store'
import { deriveApart } from './derive'
import { newPassword } from './initialPassword.rules'

/**
 * Gives a user a password that somebody else has seen, so it must be changed at the next sign-in; one that was there
 * is replaced. Takes about half a second of another thread.
 * @param user `account` as `normaliseAccount` gives it
 * @returns the password, for `givePassword` alone
 */
export async function makeInitialCredential(
  tx: Tx,
  keys: AuthKeys,
  { userId, account, at }: { userId: number; account: string; at: Date },
): Promise<string> {
  const password = newPassword(randomInt)
  const opened = await deriveApart(password, saltFor(keys, account), defaultKdf)
  await credentialStore.write(tx, keys, { userId, kdf: defaultKdf, opened, mustChange: true, at })
  return password
}
