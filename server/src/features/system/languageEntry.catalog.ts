import { catalogs } from '@aisle/contract/catalogs'
import { type Language, languages } from '@aisle/contract/kernel/text'

export type Texts = Record<Language, string>
/** A text as the product is shipped; `id` is its place among all, which a release may change. */
export type Shipped = { id: number; namespace: string; key: string; texts: Texts }

type Catalogs = Record<string, Record<string, string>>

const inLanguage = (language: Language): Catalogs => catalogs[language]

/** Every text of the product, in order of namespace and key. */
export const shippedTexts: readonly Shipped[] = Object.entries(inLanguage('zh'))
  .flatMap(([namespace, texts]) => Object.keys(texts).map((key) => ({ namespace, key })))
  .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.key, b.key))
  .map(({ namespace, key }, index) => ({ id: index + 1, namespace, key, texts: textsOf(namespace, key) }))

const byName = new Map(shippedTexts.map((each) => [nameOf(each), each]))

export const shippedById = (id: number): Shipped | undefined => shippedTexts[id - 1]
export const shippedNamed = (namespace: string, key: string): Shipped | undefined =>
  byName.get(nameOf({ namespace, key }))

export function nameOf({ namespace, key }: { namespace: string; key: string }): string {
  return `${namespace} ${key}`
}

function textsOf(namespace: string, key: string): Texts {
  const found = languages.map((language) => [language, inLanguage(language)[namespace]?.[key] ?? ''])
  return Object.fromEntries(found) as Texts
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
