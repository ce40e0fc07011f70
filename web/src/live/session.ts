import { isGranted } from '@aisle/contract/identity/permissions'
import type { getUserInfo, MenuTree, onLogin } from '@aisle/contract/identity/session'
import type { Access, OutputOf } from '@aisle/contract/kernel/endpoint'
import { useSyncExternalStore } from 'react'

/** The session of this tab, in session storage and nowhere else (spec §4). Calls about it are in session.calls.ts. */
type UserInfo = OutputOf<typeof getUserInfo>
export type Session = {
  token: string
  userid: string
  accountname: string
  menus: MenuTree
  /** Null until `/user/info` has answered; the shell waits for it. */
  info: UserInfo | null
}
export type SignedIn = Pick<OutputOf<typeof onLogin>, 'session_key' | 'userInfo'>

const TOKEN = 'aisle.authorization'
const SESSION = 'aisle.session'
const LOGIN_PATH = 'aisle.loginPath'
const WANTED = 'aisle.wanted'

export const loginPaths = ['/login', '/loginAme', '/ssologin', '/loginFr', '/loginSrx', '/loginSilent'] as const
export type LoginPath = (typeof loginPaths)[number]

const listeners = new Set<() => void>()
let session: Session | null = restore()

export const currentSession = (): Session | null => session
export const useSession = (): Session | null => useSyncExternalStore(subscribeSession, currentSession)
export const storedToken = (): string | null => sessionStorage.getItem(TOKEN)

function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function putSession(next: Session | null): void {
  session = next
  if (next) {
    sessionStorage.setItem(TOKEN, next.token)
    sessionStorage.setItem(SESSION, JSON.stringify(next))
  } else {
    sessionStorage.removeItem(TOKEN)
    sessionStorage.removeItem(SESSION)
  }
  for (const listener of listeners) listener()
}

/** Takes what a sign-in answered; the rest (rights, merchant) comes with `loadUser`. */
export function signInWith(answer: SignedIn): Session {
  const { session_key: token, userInfo } = answer
  if (!token || !userInfo) throw new Error('a successful sign-in carries a session and a user')
  const { userid, accountname, menuJsonTree } = userInfo
  const session: Session = { token, userid, accountname, menus: menuJsonTree, info: null }
  putSession(session)
  return session
}

/** Whether the person may; a screen's `access` works as well as a permission. */
export function can(access: Access): boolean {
  if (access === 'public') return true
  if (access === 'session') return session !== null
  return isGranted(session?.info?.permissions ?? [], access)
}

/** A newer agreement came into force while the person was working: nothing else answers before it is accepted. */
export function askToAccept(): void {
  if (session?.info && !session.info.mustAcceptAgreement) {
    putSession({ ...session, info: { ...session.info, mustAcceptAgreement: true } })
  }
}

/** Forgets the session here; `signOut` also ends it at the server. */
export const endSession = (): void => putSession(null)

/** @returns whether this is another entrance than the one used last in this tab */
export function rememberLoginPath(path: LoginPath): boolean {
  const isNew = sessionStorage.getItem(LOGIN_PATH) !== path
  sessionStorage.setItem(LOGIN_PATH, path)
  return isNew
}

export const rememberedLoginPath = (): LoginPath =>
  loginPaths.find((path) => path === sessionStorage.getItem(LOGIN_PATH)) ?? '/login'

/** A link that was opened without a session: offered again after the sign-in, which itself leads to / (spec §2.2). */
export function wantPath(path: string): void {
  if (path !== '/' && path !== '/database' && path !== '/dashboard') sessionStorage.setItem(WANTED, path)
}
export const wantedPath = (): string | null => sessionStorage.getItem(WANTED)
export const forgetWantedPath = (): void => sessionStorage.removeItem(WANTED)

export const toLogin = (): void => location.assign(rememberedLoginPath())

function restore(): Session | null {
  const token = sessionStorage.getItem(TOKEN)
  const text = sessionStorage.getItem(SESSION)
  if (!token || !text) return null
  try {
    return { ...(JSON.parse(text) as Session), token }
  } catch {
    return null
  }
}
