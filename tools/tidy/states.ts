import { isTest, nodes, type Node, place, type Source } from './source'

type Table = { states: readonly string[]; is: unknown }
const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'states' in value && 'is' in value && Array.isArray(value.states)

/** Every word of a state table that a module of the contract exports. */
export const stateWordsOf = (module: Readonly<Record<string, unknown>>): string[] =>
  Object.values(module).flatMap((value) => (isTable(value) ? value.states : []))

/** Tables and rules are where states are spoken of by their words (docs/decisions/0042). */
const isBound = (path: string): boolean =>
  /^(server|web)\/src\/features\//.test(path) && !isTest(path) && !/\.(rules|state)\.ts$/.test(path)

const nameOf = (node: Node): string =>
  node.type === 'MemberExpression' ? nameOf(node.property as Node) : String(node.name ?? '')

/** States that are compared with a word in code instead of by their table's `is`. */
export function comparedStates(source: Source, words: ReadonlySet<string>): string[] {
  if (!isBound(source.path)) return []
  return [...nodes(source.program)].flatMap(({ node }) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(String(node.operator))) return []
    const sides = [node.left as Node, node.right as Node]
    const word = sides.find((side) => side.type === 'Literal' && words.has(String(side.value)))
    const isState = sides.some((side) => /(^s|S)tate$/.test(nameOf(side)))
    return word && isState ? [`${place(source, node.start)} compares with '${String(word.value)}'`] : []
  })
}

const written = /\bset\s(?:(?!\b(?:where|from|returning|select)\b)[^`])*?(?<=(?:\bset|,)\s+)\w*state = '[a-z_]+'/g
const listed = /\b\w*state (?:not )?in \('[a-z_]+'/g

/** States that a statement writes, or lists, in quotes instead of by a verb or set of their table. */
export const quotedStates = (source: Source): string[] =>
  isBound(source.path)
    ? [written, listed].flatMap((quoted) =>
        [...source.text.matchAll(quoted)].map(({ index }) => `${place(source, index)}: a state in quotes`),
      )
    : []
