import { dotted, isTest, lineCount, lineOf, type Node, nodes, place, type Source } from './source'

export const MAX_FILE_LINES = 400
export const MAX_FUNCTION_LINES = 70
export const MAX_COLUMNS = 120

export const tooLong = (files: readonly { path: string; text: string }[]): string[] =>
  files.filter(({ text }) => lineCount(text) > MAX_FILE_LINES).map(({ path, text }) => `${path} has ${lineCount(text)}`)

/** Words that a migration seeds, one language beside the other, are data: a line a text. */
const isSeededText = (path: string, line: string) => path.endsWith('.sql') && /^\s*'/.test(line)

export const tooWide = (files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line].length > MAX_COLUMNS && !isSeededText(path, line)
          ? [`${path}:${index + 1} has ${[...line].length}`]
          : [],
      ),
  )

export function longFunctions(source: Source): string[] {
  return found(source, ({ node, above }) => {
    if (!/Function/.test(node.type) || !isNodeWithBody(node) || isSuite(above)) return undefined
    const lines = lineOf(source, node.end) - lineOf(source, node.start) + 1
    return lines > MAX_FUNCTION_LINES ? `${lines} lines` : undefined
  })
}

const isNodeWithBody = (node: Node): boolean => typeof node.body === 'object' && node.body !== null

/** The callback of a `describe` is a folder of tests, not a function to be read in one go. */
function isSuite(above: readonly Node[]): boolean {
  const call = above.at(-1)
  return call?.type === 'CallExpression' && /^(test\.)?describe/.test(dotted(call.callee))
}

/** Only these may ask the machine's clock; everybody else is told the time. */
const clockPlaces = [
  /^server\/src\/kernel\/clock\.ts$/,
  /^server\/src\/main\//,
  /^web\/src\/live\/clock\.ts$/,
  /^fleet\/src\/machine\/clock\.ts$/,
  /^(tools|bench|e2e)\//,
]

export function clockReads(source: Source): string[] {
  if (isTest(source.path) || clockPlaces.some((allowed) => allowed.test(source.path))) return []
  return found(source, ({ node }) => {
    if (node.type === 'CallExpression' && /^(Date\.now|Date)$/.test(dotted(node.callee))) return 'reads the clock'
    const isBare = Array.isArray(node.arguments) && node.arguments.length === 0
    return node.type === 'NewExpression' && dotted(node.callee) === 'Date' && isBare ? 'reads the clock' : undefined
  })
}

export const anyTypes = (source: Source): string[] =>
  found(source, ({ node }) => (node.type === 'TSAnyKeyword' ? 'any' : undefined))

/** A plan that serves every number of rows reads a tenth of the table (docs/decisions/0041). */
export const plannedLimits = (source: Source): string[] =>
  [...source.text.matchAll(/\blimit \$\{(?!sql\.lit\()/g)].map(
    ({ index }) => `${place(source, index)}: a limit that is not written into the statement`,
  )

/** The wallboard's socket logs its opening, error and closing because the specification asks for just that (§7). */
export function consoleCalls(source: Source): string[] {
  if (source.path === 'web/src/features/wallboard/socket.ts') return []
  if (/^(tools|bench|e2e)\//.test(source.path) || /^(fleet|server)\/src\/main/.test(source.path)) return []
  return found(source, ({ node }) =>
    node.type === 'CallExpression' && dotted(node.callee).startsWith('console.') ? dotted(node.callee) : undefined,
  )
}

/** Classes that are no errors, enums, namespaces and interfaces (but for those that augment a library's). */
export function oddShapes(source: Source): string[] {
  return found(source, ({ node, above }) => {
    if (/^Class(Declaration|Expression)$/.test(node.type)) {
      return dotted(node.superClass).endsWith('Error') ? undefined : 'a class that is no error'
    }
    if (node.type === 'TSEnumDeclaration') return 'an enum'
    const isAugmenting = above.some(({ type }) => type === 'TSModuleDeclaration')
    return node.type === 'TSInterfaceDeclaration' && !isAugmenting ? 'an interface (use type)' : undefined
  })
}

/** Routed pages, and files that another program wants to have a default export of. */
const defaultPlaces = [
  /^web\/src\/features\/([a-zA-Z]+\/)+[A-Za-z0-9]+(\.[a-zA-Z]+)+\.tsx$/,
  /(^|\/)[\w-]+\.config\.ts$/,
  /^e2e\/src\/kit\/harness\.setup\.ts$/,
  /^tools\/flaky-reporter\.mjs$/,
]

export function defaultExports(source: Source): string[] {
  if (defaultPlaces.some((allowed) => allowed.test(source.path))) return []
  return found(source, ({ node }) => (node.type === 'ExportDefaultDeclaration' ? 'a default export' : undefined))
}

export function barrels(source: Source): string[] {
  if (/(^|\/)public\.ts$/.test(source.path)) return []
  return found(source, ({ node }) =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)
      ? 'passes on what another file exports'
      : undefined,
  )
}

export const looseTodos = (source: Source): string[] =>
  source.comments
    .filter(({ value }) => /\b(TODO|FIXME|XXX)\b(?!\(#\d+\))/.test(value))
    .map(({ start }) => place(source, start))

/** A test that is left out, or run alone, says nothing about the rest. */
export function weakTests(source: Source): string[] {
  if (!/\.test\.tsx?$/.test(source.path) && !source.path.startsWith('e2e/')) return []
  return found(source, ({ node }) => {
    const name = node.type === 'CallExpression' ? dotted(node.callee) : ''
    return /^(test|it|describe)\.(.*\.)?(skip|only|todo|fixme)$/.test(name) || /^vi\.(mock|doMock)$/.test(name)
      ? name
      : undefined
  })
}

function found(source: Source, judge: (visit: { node: Node; above: readonly Node[] }) => string | undefined): string[] {
  const offences: string[] = []
  for (const visit of nodes(source.program)) {
    const offence = judge(visit)
    if (offence) offences.push(`${place(source, visit.node.start)}: ${offence}`)
  }
  return offences
}

/** Texts come in four languages, and migrations are read by number. */
const mayBeFull = /\/(text|texts|migrations|data|decisions|pictures)$|^server\/src\/demo$/

export function fullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > 40 && !mayBeFull.test(folder))
    .map(([folder, count]) => `${folder} holds ${count} files`)
}
