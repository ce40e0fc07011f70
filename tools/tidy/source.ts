import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Node = { type: string; start: number; end: number } & Record<string, unknown>
export type Source = {
  /** Relative to the repository, with forward slashes. */
  path: string
  text: string
  program: Node
  comments: { value: string; start: number }[]
}

const ignoredFolders = new Set(['node_modules', 'dist', 'data', 'test-results', '.git'])

/** Every file of the repository that belongs to it, by its path. */
export const paths: readonly string[] = listFiles('')
export const read = (path: string): string => readFileSync(root + path, 'utf8')
export const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** Every module of the product and its tools, parsed. */
export const sources: readonly Source[] = paths.filter((path) => /\.(ts|tsx|mjs)$/.test(path)).map(parseSource)

export const isTest = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing[.\w]*\.ts$/.test(path)

function listFiles(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    if (ignoredFolders.has(entry.name)) return []
    return entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]
  })
}

export function parseSource(path: string): Source {
  return parseText(path, read(path))
}

export function parseText(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  return { path, text, program: program as unknown as Node, comments }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Every node below `node`, parents first, each with its chain of parents (nearest last). */
export function* nodes(node: Node, above: readonly Node[] = []): Generator<{ node: Node; above: readonly Node[] }> {
  yield { node, above }
  const chain = [...above, node]
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodes(child, chain)
  }
}

export const lineOf = (source: Source, at: number): number => source.text.slice(0, at).split('\n').length
export const place = (source: Source, at: number): string => `${source.path}:${lineOf(source, at)}`

/** A dotted callee or member, such as `Date.now`; empty for anything more involved. */
export function dotted(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node.name)
  if (node.type !== 'MemberExpression' || node.computed) return ''
  const [object, property] = [dotted(node.object), dotted(node.property)]
  return object && property ? `${object}.${property}` : ''
}

/** What a module imports or re-exports, types too, with dynamic imports of a literal. */
export function importsOf(source: Source): { specifier: string; at: number }[] {
  const found: { specifier: string; at: number }[] = []
  for (const { node } of nodes(source.program)) {
    if (!/^(Import(Declaration|Expression)|TSImportType|Export(Named|All)Declaration)$/.test(node.type)) continue
    const from = isNode(node.source) ? node.source : isNode(node.argument) ? node.argument : undefined
    if (from && typeof from.value === 'string') found.push({ specifier: from.value, at: node.start })
  }
  return found
}
