import { posix } from 'node:path'
import { dotted, isTest, type Node, nodes, place, type Source } from './source'
import type { Catalogs } from './texts'

type Schema = {
  options?: readonly unknown[]
  unwrap?: () => Schema
  safeParse: (value: unknown) => { success: boolean }
}
/** A list as its page declares it, with what the contract says of it. */
export type List = {
  at: string
  screen: string
  part: string | undefined
  shape: Record<string, Schema>
  fields: Record<string, { words?: string } | undefined>
  words: string
  filters: readonly string[]
}
export type Link = { at: string; screen: string; query: Readonly<Record<string, string>> }

/** Modules of the contract by their path, and sources of the web by theirs. */
type Known = { contract: ReadonlyMap<string, Record<string, unknown>>; sources: ReadonlyMap<string, Source> }

/** What a link says to the page itself. */
const ofThePage = new Set(['part', 'open', 'tab', 'view'])

/** Choices of a list's filters that have no word, under the field of that name or their own. */
export const unwordedChoices = (lists: readonly List[], catalogs: Catalogs): string[] =>
  lists.flatMap((list) =>
    list.filters.flatMap((name) => {
      const choices = choicesOf(list.shape[name]).filter((choice) => choice !== 'any')
      return choices.flatMap((choice) =>
        isWorded(list, name, choice, catalogs) ? [] : [`${list.at}: ${name} ${choice}`],
      )
    }),
  )

/** Filters that would be labelled with a raw word. */
export const namelessFilters = (lists: readonly List[], catalogs: Catalogs): string[] =>
  lists.flatMap(({ at, words, filters }) =>
    filters.filter((name) => !catalogs[words]?.zh?.[`field.${name}`]).map((name) => `${at}: field.${name}`),
  )

/** Lists that don't say what belongs into them where they are empty; words are found as by `admin/listBody.tsx`. */
export const silentLists = (lists: readonly List[], catalogs: Catalogs): string[] =>
  lists.flatMap(({ at, screen, part, words }) => {
    const ofScreen = `empty.${screen.split('/')[1]}`
    const isSaid = [`${ofScreen}.${part}`, ofScreen, 'empty'].some((key) => catalogs[words]?.zh?.[key])
    return isSaid ? [] : [`${at}: ${ofScreen}`]
  })

/** Links that say what their list doesn't ask for or take, or what the person would read as a raw word. */
export const strayLinks = (
  links: readonly Link[],
  { lists, firstParts }: { lists: readonly List[]; firstParts: ReadonlyMap<string, string> },
  catalogs: Catalogs,
): string[] =>
  links.flatMap(({ at, screen, query }) => {
    const found = lists.filter((list) => list.screen === screen)
    const part = query.part ?? firstParts.get(screen)
    const list = found.find((each) => each.part === part) ?? found[0]
    if (!list) return []
    return Object.entries(query).flatMap(([name, value]) => {
      if (ofThePage.has(name)) return []
      const schema = list.shape[name]
      if (!schema?.safeParse(value).success) return [`${at}: ${screen} takes no ${name}=${value}`]
      const isChoice = name !== 'sort' && choicesOf(schema).includes(value)
      return isChoice && !isWorded(list, name, value, catalogs)
        ? [`${at}: ${screen} has no word for ${name}=${value}`]
        : []
    })
  })

function isWorded({ fields, words }: List, name: string, choice: string, catalogs: Catalogs): boolean {
  return catalogs[words]?.zh?.[`${fields[name]?.words ?? name}.${choice}`] !== undefined
}

function choicesOf(schema: Schema | undefined): string[] {
  const { options = [] } = schema?.unwrap?.() ?? schema ?? {}
  return options.filter((option) => typeof option === 'string')
}

/** @returns those that are declared in one place; a list that a function makes is none */
export function listsIn(source: Source, known: Known): List[] {
  if (isTest(source.path)) return []
  return calls(source, 'listPage').flatMap((call) => {
    const page = objectOf(valueOf((call.arguments as Node[])[0], source, known))
    const shape = objectOf(objectOf(objectOf(page?.list)?.input)?.shape)
    if (!page || !shape || typeof page.screen !== 'string' || typeof page.words !== 'string') return []
    const filters = [page.filters, page.moreFilters].flatMap((each) => (Array.isArray(each) ? each.map(String) : []))
    const [at, part] = [place(source, call.start), page.part === undefined ? undefined : String(page.part)]
    const { screen, words } = page as { screen: string; words: string }
    return [{ at, screen, part, words, filters, shape, fields: objectOf(page.fields) ?? {} } as List]
  })
}

/** Which part a screen of several lists opens with. */
export const firstPartsIn = (source: Source, known: Known): [string, string][] =>
  calls(source, 'partsPage').flatMap((call): [string, string][] => {
    const page = objectOf(valueOf((call.arguments as Node[])[0], source, known))
    const first = Array.isArray(page?.parts) ? objectOf(page.parts[0]) : undefined
    return page && first ? [[String(page.screen), String(first.key)]] : []
  })

const calls = (source: Source, name: string): Node[] =>
  !source.text.includes(`${name}(`)
    ? []
    : [...nodes(source.program)].flatMap(({ node }) =>
        node.type === 'CallExpression' && dotted(node.callee) === name ? [node] : [],
      )

/** A screen with a query beside it, whether of an element or an object, and addresses that are put together. */
export function linksIn(source: Source): Link[] {
  if (isTest(source.path) || !/screen/.test(source.text)) return []
  return [...nodes(source.program)].flatMap(({ node }): Link[] => {
    const at = place(source, node.start)
    if (node.type === 'TemplateLiteral') {
      const text = source.text.slice(node.start, node.end)
      const [, screen, query] = /^`\$\{screenOf\('([^']+)'\)\.path\}\?([^`]*)`$/.exec(text) ?? []
      const pairs = [...new URLSearchParams(query)].filter(([, value]) => !value.includes('${'))
      return screen ? [{ at, screen, query: Object.fromEntries(pairs) }] : []
    }
    const pairs = pairsOf(node)
    const screen = literalOf(pairs.get('screen')) ?? screenIn(pairs.get('to'), source)
    const query = pairs.get('search') ?? pairs.get('query')
    return screen && query?.type === 'ObjectExpression' ? [{ at, screen, query: literalsOf(query) }] : []
  })
}

function pairsOf(node: Node): Map<string, Node> {
  const pair = (key: unknown, value: unknown): [string, Node][] => (value ? [[dotted(key), value as Node]] : [])
  if (node.type === 'ObjectExpression') {
    return new Map((node.properties as Node[]).flatMap(({ key, value }) => pair(key, value)))
  }
  if (node.type !== 'JSXOpeningElement') return new Map()
  return new Map(
    (node.attributes as Node[]).flatMap((attribute): [string, Node][] => {
      const value = attribute.value as Node | null
      const name = String((attribute.name as Node | undefined)?.name ?? '')
      if (!value) return []
      return [[name, value.type === 'JSXExpressionContainer' ? (value.expression as Node) : value]]
    }),
  )
}

const screenIn = (node: Node | undefined, { text }: Source): string | undefined =>
  node && /^screenOf\('([^']+)'\)\.path$/.exec(text.slice(node.start, node.end))?.[1]

const literalOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

const literalsOf = (object: Node): Record<string, string> =>
  Object.fromEntries(
    [...pairsOf(object)].flatMap(([name, node]) => {
      const value = literalOf(node)
      return value === undefined ? [] : [[name, value]]
    }),
  )

type Facts = Record<string, unknown>
const objectOf = (value: unknown): Facts | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : undefined

/** What an expression of the web comes to, as far as literals, records and the contract lead; else undefined. */
function valueOf(node: Node | undefined, source: Source, known: Known): unknown {
  const of = (inner: unknown) => valueOf(inner as Node | undefined, source, known)
  switch (node?.type) {
    case 'Literal':
      return node.value
    case 'Identifier':
      return named(String(node.name), source, known)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return of(node.expression)
    case 'ArrayExpression':
      return (node.elements as Node[]).map(of)
    case 'MemberExpression':
      return objectOf(of(node.object))?.[dotted(node.property)]
    case 'ObjectExpression':
      return Object.assign(
        {},
        ...(node.properties as Node[]).map((each) =>
          each.type === 'SpreadElement' ? of(each.argument) : { [dotted(each.key)]: of(each.value) },
        ),
      )
    case 'CallExpression':
      return calledOf(node, of)
    default:
      return undefined
  }
}

/** `record` (web/src/admin/record.tsx) and the page that it gives. */
function calledOf(call: Node, of: (node: unknown) => unknown): unknown {
  const [argument] = call.arguments as Node[]
  const callee = call.callee as Node
  if (dotted(callee) === 'record') return { record: of(argument) }
  if (callee.type !== 'MemberExpression' || dotted(callee.property) !== 'page') return undefined
  const made = objectOf(objectOf(of(callee.object))?.record)
  const entity = objectOf(made?.of)
  return entity && { list: made?.list, fields: entity.fields, words: entity.domain, ...objectOf(of(argument)) }
}

type Name = { init: Node } | { from: string; inner: string; isAll: boolean }
const namesOfSources = new WeakMap<Source, ReadonlyMap<string, Name>>()

/** What is declared at the top of a source or imported into it. */
function namesIn(source: Source): ReadonlyMap<string, Name> {
  const known = namesOfSources.get(source)
  if (known) return known
  const names = new Map<string, Name>()
  for (const statement of source.program.body as Node[]) {
    const declared = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement
    if (declared?.type === 'VariableDeclaration') {
      for (const { id, init } of declared.declarations as Node[]) names.set(dotted(id), { init: init as Node })
    }
    if (statement.type !== 'ImportDeclaration') continue
    const from = String((statement.source as Node).value)
    for (const { type, local, imported } of statement.specifiers as Node[]) {
      names.set(dotted(local), { from, inner: dotted(imported), isAll: type === 'ImportNamespaceSpecifier' })
    }
  }
  namesOfSources.set(source, names)
  return names
}

function named(name: string, source: Source, known: Known): unknown {
  const found = namesIn(source).get(name)
  if (!found) return undefined
  if ('init' in found) return valueOf(found.init, source, known)
  const { from, inner, isAll } = found
  if (!from.startsWith('.')) {
    const module = known.contract.get(`${from.replace('@aisle/contract/', 'contract/src/')}.ts`)
    return isAll ? module : module?.[inner]
  }
  const path = posix.join(posix.dirname(source.path), from)
  const other = known.sources.get(`${path}.tsx`) ?? known.sources.get(`${path}.ts`)
  return other && named(inner, other, known)
}
