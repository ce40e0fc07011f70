import { posix } from 'node:path'
import { dotted, type Node, nodes, type Source } from './source'

/** Modules of the contract by their path, and sources of the web by theirs. */
export type Known = { contract: ReadonlyMap<string, Record<string, unknown>>; sources: ReadonlyMap<string, Source> }

/** Every call of this name. */
export const calls = (source: Source, name: string): Node[] =>
  !source.text.includes(`${name}(`)
    ? []
    : [...nodes(source.program)].flatMap(({ node }) =>
        node.type === 'CallExpression' && dotted(node.callee) === name ? [node] : [],
      )

/** The properties of an object, or the attributes of an element. */
export function pairsOf(node: Node): Map<string, Node> {
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

export const literalOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

type Facts = Record<string, unknown>
export const objectOf = (value: unknown): Facts | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : undefined

/** What an expression of the web comes to, as far as literals, records and the contract lead; else undefined. */
export function valueOf(node: Node | undefined, source: Source, known: Known): unknown {
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
