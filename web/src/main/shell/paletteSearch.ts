import type { Screen } from '@aisle/contract/kernel/screen'
import { screenAt, screens } from '@aisle/contract/screens'
import { can } from '../../live/session'
import type { IconName } from '../../ui/icons'
import type { Text } from '../../ui/text'
import type { Visit } from './visited'

export type Hit = { key: string; icon: IconName; title: string; note: string; path: string }

const MOST = 12
/** From this score on the query is the beginning or a part of the title; machines and orders come after those. */
const CLOSE = 2

export type Found = { close: Hit[]; loose: Hit[] }

/** By title or by code; the codes are the initials of the Chinese titles, so that pinyin initials find them too. */
export function findScreens(query: string, titles: Text<'screens'>): Found {
  const wanted = query.toLowerCase().replace(/^\//, '')
  const found = screens
    .filter((screen) => isEntry(screen) && can(screen.access))
    .map((screen) => ({ screen, score: scoreOf(screen, wanted, titles) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
  const hits = (isClose: boolean) =>
    found.filter(({ score }) => score >= CLOSE === isClose).map(({ screen }) => hitOf(screen, titles, screen.path))
  return { close: hits(true), loose: hits(false) }
}

export function recentScreens(visits: readonly Visit[], titles: Text<'screens'>, note: string): Hit[] {
  return visits
    .flatMap(({ path, href }) => {
      const screen = screenAt(path)
      return screen ? [{ ...hitOf(screen, titles, href), note }] : []
    })
    .reverse()
}

const isEntry = ({ group, code }: Screen) => group !== 'public' || code === 'database' || code === 'databases'

function scoreOf(screen: Screen, wanted: string, titles: Text<'screens'>): number {
  const title = titles.any(screen.key).toLowerCase()
  const code = screen.code.toLowerCase()
  const built = screen.built ? 0.5 : 0
  if (code === wanted || screen.key.toLowerCase() === wanted || title === wanted) return 4 + built
  if (code.startsWith(wanted) || title.startsWith(wanted)) return 3 + built
  if (title.includes(wanted)) return 2 + built
  const words = wanted.split(/\s+/).filter(Boolean)
  const all = `${title} ${code} ${titles.any(`group.${screen.group}`).toLowerCase()}`
  if (words.every((word) => all.includes(word))) return 1 + built
  return 0
}

const hitOf = (screen: Screen, titles: Text<'screens'>, path: string): Hit => ({
  key: screen.key,
  icon: screen.group === 'public' ? 'screen' : 'chevron',
  title: titles.any(screen.key),
  note: titles.any(`group.${screen.group}`),
  path,
})
