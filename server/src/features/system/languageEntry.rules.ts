import { type Language, languages } from '@aisle/contract/kernel/text'
import { objectionTo, type rowObjections } from '@aisle/contract/system/languageEntry'

type Texts = Record<Language, string>
type Others = Partial<Record<Language, string | null>>
export type FileRow = { namespace: string; key: string } & { [language in Language]?: string | undefined }
export type Known = { shipped: Texts; others: Others }

/** The override, else as shipped. */
export const textsInForce = ({ shipped, others }: Known): Texts =>
  Object.fromEntries(languages.map((language) => [language, others[language] ?? shipped[language]])) as Texts

/** Languages without a text, or with the Chinese one (a name such as "Aisle" counts too: a person decides). */
export const untranslatedIn = (texts: Texts): Language[] =>
  languages.filter((language) => language !== 'zh' && (texts[language] === '' || texts[language] === texts.zh))

export type Change = { namespace: string; key: string; language: Language; before: string; after: string }
export type Refused = {
  row: number
  namespace: string
  key: string
  language: Language | null
  reason: (typeof rowObjections)[number]
}

/**
 * What rows of a file would change. A text that is as it is said already changes nothing; a second row about the same
 * text is refused, since nobody knows which of the two is meant.
 */
export function judgeRows(rows: readonly FileRow[], find: (row: FileRow) => Known | undefined) {
  const changes: Change[] = []
  const refused: Refused[] = []
  const seen = new Set<string>()
  let same = 0
  for (const [index, row] of rows.entries()) {
    const { namespace, key } = row
    const known = find(row)
    const name = `${namespace} ${key}`
    const refuse = (reason: Refused['reason'], language: Language | null) =>
      refused.push({ row: index + 1, namespace, key, language, reason })
    if (!known || seen.has(name)) {
      refuse(known ? 'twice' : 'unknownKey', null)
      continue
    }
    seen.add(name)
    for (const language of languages) {
      const after = row[language]
      if (after === undefined) continue
      const before = textsInForce(known)[language]
      const objection = after === before ? null : objectionTo(after, known.shipped.zh)
      if (after === before) same += 1
      else if (objection) refuse(objection, language)
      else changes.push({ namespace, key, language, before, after })
    }
  }
  return { changes, refused, same }
}
