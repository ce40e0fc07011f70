import { endpoints } from '@aisle/contract/endpoints'
import { screens } from '@aisle/contract/screens'

/** Pages that speak of a right call it by its code. */
const permissions = new Set<string>([...screens, ...endpoints].map(({ access }) => access))

/** Message types have codes of the same make, which their pages name. */
const MESSAGE_TYPE = /^(alarm|bankAccount|licence|notice|password|push|report|secondFactor|signIn)\.[a-zA-Z]+$/

/** A text that is missing shows as its key: words joined by dots. */
const KEY = /(?<![\w./@:-])[a-z]\w*(?:\.[A-Za-z]\w*)+(?![\w./@-])/g
const BROKEN = /\{\{|\}\}|\bundefined\b|\bNaN\b|\[object |Invalid Date|\bTODO\b|lorem ipsum/gi

/** What no person should read: keys without a text, unfilled places, values that a program forgot. */
export const strangeWords = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [
    ...(text.match(BROKEN) ?? []),
    ...(text.match(KEY) ?? []).filter((word) => !permissions.has(word) && !MESSAGE_TYPE.test(word)),
  ])
