type Row = (column: string) => string

/**
 * The rows of a provider's table in a text file, each read by the names of its columns; brackets of both widths are the
 * same. @param first name of its first column @param end what the line after its last row begins with
 * @returns null when there is no such table
 */
export function cellsOf(text: string, first: string, end: string): Row[] | null {
  const lines = text.split(/\r?\n/)
  const head = lines.findIndex((line) => plain(line).startsWith(first))
  if (head < 0) return null
  const names = split(lines[head] ?? '').map(plain)
  const rest = lines.slice(head + 1)
  const last = rest.findIndex((line) => line.startsWith(end) || line.startsWith(`\`${end}`) || line.trim() === '')
  return rest.slice(0, last < 0 ? undefined : last).map((line): Row => {
    const cells = split(line)
    return (column) => cells[names.indexOf(column)] ?? ''
  })
}

/** A mark of the byte order before the first name is white space, too. */
const plain = (text: string): string => text.trim().replace(/^`/, '').replaceAll('（', '(').replaceAll('）', ')')

/** No provider quotes its cells: names of goods have their commas taken out by the provider. */
const split = (line: string): string[] => line.split(',').map((cell) => cell.trim().replace(/^`/, ''))

/** One line that can't be read makes the whole file unbelievable. */
export function allOrNone<T>(lines: readonly (T | null)[]): T[] | null {
  const read = lines.flatMap((line) => (line === null ? [] : [line]))
  return read.length === lines.length ? read : null
}
