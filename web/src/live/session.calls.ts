import { getUserInfo, getUserResource, signOut as signOutEndpoint } from '@aisle/contract/identity/session'
import { call } from './call'
import { currentSession, endSession, putSession } from './session'

/** Who is signed in and with which rights, asked on every page load, since both may have changed. */
export async function loadUser(): Promise<void> {
  const info = await call(getUserInfo, {}, { errors: 'silent' })
  const session = currentSession()
  if (session) putSession({ ...session, info })
}

/** Fetches the menus again (spec §2.3, micro-shop tile). */
export async function reloadMenus(errors: 'toast' | 'silent' = 'toast'): Promise<void> {
  const asking = currentSession()
  if (!asking) return
  const { userInfo } = await call(getUserResource, { systemuserid: asking.userid }, { errors })
  const session = currentSession()
  if (session) putSession({ ...session, menus: userInfo.menuJsonTree })
}

/** Ends the session at the server too; a server that does not answer must not keep anybody signed in here. */
export async function signOut(): Promise<void> {
  try {
    await call(signOutEndpoint, {}, { errors: 'silent' })
  } finally {
    endSession()
  }
}
