/** Nothing but the account's name is kept by us; the password is the business of the browser's password manager. */
export type Account = { account: string; password: string }

const STORED = 'aisle.account'

export const rememberedAccount = (): string => localStorage.getItem(STORED) ?? ''

export function rememberAccount(account: string): void {
  if (account) localStorage.setItem(STORED, account)
  else localStorage.removeItem(STORED)
}

type PasswordCredentials = { PasswordCredential?: new (facts: { id: string; password: string }) => Credential }

/** Where the browser has the interface (Chromium, over TLS or on loopback); the others offer by themselves. */
export async function offerToPasswordManager({ account, password }: Account): Promise<void> {
  const { PasswordCredential } = window as PasswordCredentials
  if (!PasswordCredential || !navigator.credentials) return
  try {
    await navigator.credentials.store(new PasswordCredential({ id: account, password }))
  } catch {
    // Refused or switched off: the person signs in all the same.
  }
}

const CHANGED = 'aisle.passwordChanged'

/** Said on the sign-in page, where changing the password leads. */
export const notePasswordChanged = (): void => sessionStorage.setItem(CHANGED, '1')

/** @returns whether it has just been changed; asked once */
export function wasPasswordChanged(): boolean {
  const isChanged = sessionStorage.getItem(CHANGED) !== null
  sessionStorage.removeItem(CHANGED)
  return isChanged
}
