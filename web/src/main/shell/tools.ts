import { screenOf } from '@aisle/contract/screens'
import { queryClient } from '../../live/query'
import { toLogin } from '../../live/session'
import { signOut } from '../../live/session.calls'
import { ask } from '../../ui/feedback/notice'
import type { Text, TextKey } from '../../ui/text'

/** Actions of the top bar that are screens of their own (spec §2.7). */
export const toolScreens: readonly { label: TextKey<'system'>; key: string }[] = [
  { label: 'tool.reviews', key: 'jygl/hgsh' },
  { label: 'tool.downloads', key: 'tjfx/bbdc' },
  { label: 'tool.reports', key: 'tjfx/jqjytj' },
  { label: 'tool.knowledge', key: 'shkf/jjfa' },
  { label: 'tool.push', key: 'xtgl/xxts' },
  { label: 'tool.pushSettings', key: 'xtgl/tssz' },
]
export const passwordScreen = screenOf('xtgl/setpwd')

export async function leave(): Promise<void> {
  await signOut().catch(() => undefined)
  toLogin()
}

/** All that this browser remembers but the session itself: the person stays signed in. */
export async function clearBrowserCache(t: Text<'system'>, cancel: string): Promise<void> {
  const isSure = await ask({
    key: 'clearCache',
    title: t('shell.clearCache'),
    body: t('shell.clearCacheBody'),
    yes: t('shell.clearCacheYes'),
    no: cancel,
  })
  if (!isSure) return
  localStorage.clear()
  for (const name of Object.keys(sessionStorage)) if (!keptNames.includes(name)) sessionStorage.removeItem(name)
  queryClient.clear()
  if ('caches' in window) await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
  location.reload()
}

const keptNames = ['aisle.authorization', 'aisle.session', 'aisle.loginPath']
