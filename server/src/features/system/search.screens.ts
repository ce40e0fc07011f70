import { catalogs } from '@aisle/contract/catalogs'
import { mayOpen } from '@aisle/contract/identity/permissions'
import type { Screen } from '@aisle/contract/kernel/screen'
import { type Language, languages } from '@aisle/contract/kernel/text'
import { screens } from '@aisle/contract/screens'
import { word } from '../../kernel/words'
import { soundOf } from '../catalog/public'

const MOST_SCREENS = 6

/** As a shipped title of each language says it, as the Chinese one sounds, and its initials. */
const names = screens
  .filter(({ group, built }) => group !== 'public' && built)
  .map((screen) => ({ screen, text: [...titlesOf(screen), soundOf(catalogs.zh.screens[keyOf(screen)])].join('\n') }))

function titlesOf(screen: Screen): string[] {
  return languages.map((language) => catalogs[language].screens[keyOf(screen)].toLowerCase())
}

function keyOf({ key }: Screen) {
  return key as keyof typeof catalogs.zh.screens
}

/** What a newcomer calls a page, in any of the languages, whatever language theirs is shown in. */
export function findScreens(grants: readonly string[], language: Language, typed: string) {
  const wanted = typed.toLowerCase()
  return names
    .filter(({ screen, text }) => text.includes(wanted) && mayOpen(grants, screen.access))
    .slice(0, MOST_SCREENS)
    .map(({ screen: { key, path } }) => ({ code: key, title: word(language, 'screens', key), path }))
}
