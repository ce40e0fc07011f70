import { catalogs } from '@aisle/contract/catalogs'
import { type Language, i18nextOptions, languages } from '@aisle/contract/kernel/text'
import i18next from 'i18next'

type Catalogs = Record<string, Record<string, string>>

const words = i18next.createInstance()
const ready = words.init({
  ...i18nextOptions,
  lng: 'zh',
  // A copy: what is said otherwise must not change what was shipped.
  resources: structuredClone(catalogs),
  ns: Object.keys(catalogs.zh),
  initAsync: false,
})
void ready

/** A text of a domain's catalog; the key itself when it is missing, which the tidy test does not let happen. */
export function word(
  language: Language,
  domain: string,
  key: string,
  vars: Record<string, string | number> = {},
): string {
  return words.getFixedT(language, domain)(key, vars)
}

/** What this installation says otherwise than shipped. */
export type OtherWords = { namespace: string; key: string } & Partial<Record<Language, string | null>>

let touched: ReadonlySet<string> = new Set()

/** In place of all that was said otherwise before; kept in this process alone. */
export function sayOtherwise(others: readonly OtherWords[]): void {
  const now = new Set(others.map(({ namespace }) => namespace))
  for (const language of languages) {
    const shipped: Catalogs = catalogs[language]
    for (const namespace of new Set([...touched, ...now])) {
      const texts = { ...shipped[namespace] }
      for (const other of others) {
        const text = other.namespace === namespace ? other[language] : null
        if (text) texts[other.key] = text
      }
      words.addResourceBundle(language, namespace, texts, false, true)
    }
  }
  touched = now
}
