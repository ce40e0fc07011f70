/** Words that a person types with commas or lines between them. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，、;；\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
]
export const wordsText = (words: readonly string[]): string => words.join(', ')

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type Barcode = { code: string; packUnits: number }

/** A code on each line, behind that of a pack its pieces. What is no number is kept, so that the rule can say so. */
export const barcodesIn = (text: string): Barcode[] =>
  linesIn(text).map((line) => {
    const [code = '', pieces] = line.split(/\s+/)
    return { code, packUnits: pieces === undefined ? 1 : Number(pieces) }
  })
export const barcodesText = (barcodes: readonly Barcode[]): string =>
  barcodes.map(({ code, packUnits }) => (packUnits === 1 ? code : `${code} ${packUnits}`)).join('\n')

export type TracePrefix = { level: string; prefix: string }

/** A level and a prefix on each line; without a level it is that of the smallest pack. */
export const prefixesIn = (text: string, levels: ReadonlyMap<string, string>): TracePrefix[] =>
  linesIn(text).map((line) => {
    const at = line.search(/\s\S*$/)
    const word = line.slice(0, Math.max(at, 0)).trim().toLowerCase()
    return { level: word === '' ? 'pack' : (levels.get(word) ?? word), prefix: line.slice(at + 1).trim() }
  })
export const prefixesText = (prefixes: readonly TracePrefix[], wordOf: (level: string) => string): string =>
  prefixes.map(({ level, prefix }) => `${wordOf(level)} ${prefix}`).join('\n')
