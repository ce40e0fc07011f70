import type { Language } from '@aisle/contract/kernel/text'
import { homeOf, nounOf, permissionOf } from '@aisle/contract/permissions'
import { word } from '../../kernel/words'

/** As a person knows it: what is done, and on which page. */
export function nameOfPermission(language: Language, code: string): string {
  const known = permissionOf(code)
  if (!known) return code
  return `${nameOfNoun(language, known.noun)} · ${word(language, 'rights', `action.${known.action}`)}`
}

/** By the title of the page that it is at home on. */
export function nameOfNoun(language: Language, noun: string): string {
  const home = homeOf(noun)
  return home ? word(language, 'screens', home.key) : word(language, 'rights', `noun.${noun}`)
}

export const titleOfGroup = (language: Language, code: string): string => {
  const home = homeOf(nounOf(code))
  return home ? word(language, 'screens', `group.${home.group}`) : word(language, 'rights', 'group.other')
}
