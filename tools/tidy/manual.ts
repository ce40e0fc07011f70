import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Screen } from '@aisle/contract/kernel/screen'
import { posix } from 'node:path'
import { type Node, nodes, importsOf, isTest, type Source } from './source'
import type { Catalogs } from './texts'
import { calls, type Known, literalOf, objectOf, pairsOf, valueOf } from './values'

/** What the manual says of a screen, in keys of the catalogs: `funds:verb.applyWithdrawal`. */
export type Controls = {
  parts: string[]
  /** With the rights that each needs. */
  verbs: { word: string; access: string }[]
  presets: string[]
  filters: string[]
  /** The word of a state table, with its states. */
  states: { word: string; states: string[] }[]
  refusals: string[]
}

/** A screen's page and what it is made of: files of features and shelves, not of the kit. */
export function sourcesOf({ group, code }: Screen, web: ReadonlyMap<string, Source>): Source[] {
  const isPage = (path: string, name: string) => path.includes(`/${name}.`) && path.endsWith('.tsx') && !isTest(path)
  const pages = [...web.keys()].filter((path) => path.startsWith('web/src/features/'))
  const page = pages.find((path) => isPage(path, `${group}.${code}`)) ?? pages.find((path) => isPage(path, code))
  const found = new Map<string, Source>()
  const open = page === undefined ? [] : [page]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const source = web.get(path)
    if (!source || found.has(path)) continue
    found.set(path, source)
    for (const { specifier } of importsOf(source).filter(({ specifier }) => specifier.startsWith('.'))) {
      const to = posix.join(posix.dirname(path), specifier)
      if (/^web\/src\/(features|shelf)\//.test(to)) open.push(`${to}.tsx`, `${to}.ts`)
    }
  }
  return [...found.values()]
}

export function controlsOf(of: readonly Source[], known: Known, catalogs: Catalogs): Controls {
  const spaces = [...new Set(of.flatMap(({ text }) => [...text.matchAll(namespaceIn)].map(([, name]) => name ?? '')))]
  /** The catalog of the thing first, then those that the page speaks. */
  const word = (key: string, domains: readonly string[] = []): string[] => {
    const domain = [...domains, ...spaces].find((name) => catalogs[name]?.zh?.[key])
    return domain === undefined ? [] : [`${domain}:${key}`]
  }
  const lists = of.flatMap((source) => declared('listPage', source, known))
  const parts = of.flatMap((source) => declared('partsPage', source, known)).flatMap(({ parts }) => arrayOf(parts))
  const verbs = of.flatMap((source) => [...verbsIn(source, known), ...recordVerbs(source, known)])
  const worded = verbs.flatMap(({ name, endpoint }) =>
    word(`verb.${name}`, [domainOf(endpoint)]).map((key) => ({ word: key, access: endpoint?.access ?? 'session' })),
  )
  const ofLists = (pick: (list: Facts) => readonly string[]) =>
    unique(lists.flatMap((list) => pick(list).flatMap((key) => word(key, [String(list.words)]))))
  return {
    parts: unique(parts.flatMap((part) => word(`part.${String(objectOf(part)?.key)}`))),
    verbs: [...new Map(worded.map((each) => [each.word, each])).values()],
    presets: ofLists(({ presets }) => arrayOf(presets).map((each) => `preset.${String(objectOf(each)?.name)}`)),
    filters: ofLists(({ filters, moreFilters }) =>
      [...arrayOf(filters), ...arrayOf(moreFilters)].map((name) => `field.${String(name)}`),
    ),
    states: statesOf(lists, catalogs),
    refusals: unique(
      verbs.flatMap(({ endpoint }) =>
        (endpoint?.refusals ?? []).flatMap((code) => word(`refusal.${code}`, [domainOf(endpoint)])),
      ),
    ),
  }
}

type Facts = Record<string, unknown>
type Verb = { name: string; endpoint: Endpoint | undefined }

const namespaceIn = /(?:useText\(|words[:=] ?|const words = )'(\w+)'/g
const unique = (keys: readonly string[]) => [...new Set(keys)]
const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const domainOf = (endpoint: Endpoint | undefined) => endpoint?.name.split('.')[0] ?? ''

const declared = (call: string, source: Source, known: Known): Facts[] =>
  calls(source, call).flatMap(({ arguments: given }) => {
    const page = objectOf(valueOf((given as Node[])[0], source, known))
    return page ? [page] : []
  })

const isEndpoint = (value: unknown): value is Endpoint => typeof objectOf(value)?.access === 'string'

/** A button, or an entry of those over chosen rows: a verb with the call behind it. */
const verbsIn = (source: Source, known: Known): Verb[] =>
  [...nodes(source.program)].flatMap(({ node }) => {
    if (node.type !== 'JSXOpeningElement' && node.type !== 'ObjectExpression') return []
    const pairs = pairsOf(node)
    const called = valueOf(pairs.get('endpoint'), source, known)
    return choices(pairs.get('verb')).map((name) => ({ name, endpoint: isEndpoint(called) ? called : undefined }))
  })

function choices(node: Node | undefined): string[] {
  const literal = literalOf(node)
  if (literal !== undefined) return [literal]
  if (node?.type !== 'ConditionalExpression') return []
  return [...choices(node.consequent as Node), ...choices(node.alternate as Node)]
}

/** What `record` gives buttons to by itself. */
const recordVerbs = (source: Source, known: Known): Verb[] =>
  declared('record', source, known).flatMap(({ add, edit, moves, remove }) =>
    [add, edit, ...Object.values(objectOf(moves) ?? {}), remove]
      .filter(isEndpoint)
      .map((endpoint) => ({ name: endpoint.name.slice(endpoint.name.indexOf('.') + 1), endpoint })),
  )

/** Tables whose states all say what they mean, as the lists' columns show them. */
function statesOf(lists: readonly Facts[], catalogs: Catalogs): Controls['states'] {
  const tables = lists.flatMap(({ fields, words, columns }) =>
    arrayOf(columns).flatMap((name) => {
      const field = objectOf(objectOf(fields)?.[String(name)])
      const states = arrayOf(field?.states).map(String)
      const said = catalogs[String(words)]?.zh ?? {}
      const isTold = states.length > 0 && states.every((state) => said[`${String(field?.words)}.${state}.help`])
      return isTold ? [[`${String(words)}:${String(field?.words)}`, states] as const] : []
    }),
  )
  return [...new Map(tables)].map(([word, states]) => ({ word, states }))
}
