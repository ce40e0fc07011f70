import { type Language, languages } from '@aisle/contract/kernel/text'

/** In the asked language, else in whichever there is. */
export const titleIn = (titles: Partial<Record<Language, string>>, language: Language): string =>
  titles[language] || (languages.map((each) => titles[each]).find(Boolean) ?? '')

/** Without the languages that were left empty, in the order that the database keeps them in. */
export const filled = (
  titles: {
    [L in Language]?: string | undefined
  },
): Partial<Record<Language, string>> =>
  Object.fromEntries(
    Object.entries(titles)
      .filter(([, title]) => title)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
