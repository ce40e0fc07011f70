import { useEffect } from 'react'
import { queryClient } from '../../live/query'
import { currentSession } from '../../live/session'
import { loadUser, reloadMenus } from '../../live/session.calls'
import { useTopic } from '../../live/topics'

/** Who we are, what we may do and which menus we have, asked again; what pages show is fetched anew with it. */
export async function followRights(): Promise<void> {
  const before = rightsNow()
  // A session that ended meanwhile says so by itself; a network that is away is asked again when it is back.
  await Promise.all([loadUser(), reloadMenus('silent')]).catch(() => undefined)
  if (rightsNow() !== before) await queryClient.invalidateQueries()
}

/** Roles may change at any moment, by anybody; also while this browser heard nothing. */
export function useFollowedRights(): void {
  useTopic('rights', () => void followRights())
  // The menus that this tab remembers are from its last visit.
  useEffect(() => void reloadMenus('silent').catch(() => undefined), [])
}

function rightsNow(): string {
  const info = currentSession()?.info
  return JSON.stringify([info?.permissions, info?.viewedRole])
}
