/** The words of the device catalog; `or` answers the code itself where it has none. */
export type Words = {
  any: (key: string, vars?: Record<string, string | number>) => string
  or: (key: string, code: string) => string
}

/** What machines say and are told: `said.<name>` in the catalog. A test walks the messages for names without a text. */
export function saidText(data: Record<string, unknown>, t: Words, money: (fen: number) => string): string {
  return Object.entries(data)
    .map(([name, value]) => `${t.or(`said.${name}`, name)} ${valueText(name, value, t, money)}`)
    .join(' · ')
}

/** Names whose values have words elsewhere in the catalog; those of the others are `said.<name>.<value>`. */
const catalogs: Readonly<Record<string, string>> = {
  motorCode: 'motorCode',
  sensorCode: 'sensorCode',
  part: 'machinePart',
  detail: 'detail',
}
export const wordKey = (name: string, value: string): string => `${catalogs[name] ?? `said.${name}`}.${value}`

const MOST = 6

function valueText(name: string, value: unknown, t: Words, money: (fen: number) => string): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return t.any(value ? 'said.yes' : 'said.no')
  if (typeof value === 'number') return name.endsWith('Fen') ? money(value) : String(value)
  if (typeof value === 'string') return t.or(wordKey(name, value), faultText(value, t))
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST).map((each) => valueText(name, each, t, money))
    return [...shown, ...(value.length > MOST ? [t.any('said.more', { count: value.length - MOST })] : [])].join('; ')
  }
  return `(${saidText(Object(value), t, money)})`
}

/** Phrases of the protocol's reference client: any other program's own lines stand as it wrote them. */
const phrases: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/^boot (\S+), said (\d+) messages$/, 'line.boot', ['boot', 'count']],
  [/^orders begun (\d+), motor turns (\d+)$/, 'line.orders', ['orders', 'turns']],
  [
    /^up (\d+) s, orders begun (\d+), motor turns (\d+), unacknowledged (\d+)$/,
    'line.up',
    ['seconds', 'orders', 'turns', 'waiting'],
  ],
  [/^waiting for acknowledgement (\d+)$/, 'line.waiting', ['count']],
  [/^remembers (\S+)$/, 'line.remembers', ['name']],
  [/^end of (\d+) h$/, 'line.end', ['hours']],
]

/** A line of a machine's log. */
export function lineText(line: string, t: Words): string {
  for (const [phrase, key, names] of phrases) {
    const found = phrase.exec(line)
    if (found) return t.any(key, Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ''])))
  }
  return faultText(line, t)
}

/** Faults as heartbeats name them, `slot A1 motor 102`, wherever they stand in a text. */
export const faultText = (text: string, t: Words): string =>
  text.replace(/slot (\S{1,12}?):? motor (\w{1,40})/g, (_, slot: string, code: string) =>
    t.any('line.fault', { slot, motor: t.or(`motorCode.${code}`, code) }),
  )
