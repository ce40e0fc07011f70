import { dotted, isTest, type Node, nodes, place, type Source } from './source'

/** The tables of the database, by the types that are generated from it. */
export const tablesIn = (types: string): ReadonlySet<string> =>
  new Set([...types.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => snakeOf(name ?? '')))

const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The kernel is no slice: what it fills, such as the outbox, one slice works off. */
const sliceOf = (path: string): string | undefined =>
  isTest(path) ? undefined : /^server\/src\/(?:features\/)?(?!kernel|db|demo|testing)(\w+)\//.exec(path)?.[1]

type Write = { table: string; slice: string; at: string }

/** Tables that more than one slice writes: `table: slice, slice`, with a place of each. */
export function sharedTables(sources: readonly Source[], tables: ReadonlySet<string>): string[] {
  const places = new Map<string, Map<string, string>>()
  for (const { table, slice, at } of sources.flatMap((source) => writesOf(source, tables))) {
    places.set(table, (places.get(table) ?? new Map<string, string>()).set(slice, at))
  }
  return [...places]
    .filter(([, slices]) => slices.size > 1)
    .map(([table, slices]) => `${table}: ${[...slices].map((each) => each.join(' in ')).join(', ')}`)
    .sort()
}

const statement = /\b(?:insert into|delete from|(?<!\b(?:for|key|do) )update|truncate|merge into) (?:only )?(\w+|\$\{)/g

export function writesOf(source: Source, tables: ReadonlySet<string>): Write[] {
  const slice = sliceOf(source.path)
  if (slice === undefined) return []
  const found = [...nodes(source.program)].flatMap(({ node }) =>
    writtenBy(node, source).map((table) => ({ table, slice, at: place(source, node.start) })),
  )
  // Who writes to a table that a variable names may write to each that the file names.
  const named = found.some(({ table }) => table === '${') ? namedIn(source, slice) : []
  return [...found, ...named].filter(({ table }) => tables.has(table))
}

function writtenBy(node: Node, { text }: Source): string[] {
  if (node.type === 'TemplateLiteral' || typeof node.value === 'string') {
    const words = text.slice(node.start, node.end).replace(/\s+/g, ' ')
    return [...words.matchAll(statement)].map(([, table]) => table ?? '')
  }
  if (node.type !== 'CallExpression') return []
  const [first, second] = node.arguments as Node[]
  const callee = dotted(node.callee) || dotted((node.callee as Node).property)
  if (/(^|\.)(insertInto|updateTable|deleteFrom|stateful)$/.test(callee)) return [snakeOf(String(first?.value))]
  if (callee !== 'kept') return []
  const given = (second?.properties ?? []) as { key?: Node; value?: Node }[]
  return given.filter(({ key }) => key?.name === 'table').map(({ value }) => snakeOf(String(value?.value)))
}

const namedIn = (source: Source, slice: string): Write[] =>
  [...nodes(source.program)].flatMap(({ node }) => {
    const word = node.type === 'TemplateElement' ? (node.value as { raw: string }).raw : node.value
    return typeof word === 'string' ? [{ table: word, slice, at: place(source, node.start) }] : []
  })
