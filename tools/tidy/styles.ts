import { posix } from 'node:path'
import { type Node, nodes, place, type Source } from './source'

type Sheet = { path: string; text: string }

/** The only sheets that every page hears; all others are modules beside what wears them. */
const globalSheets = ['web/src/ui/tokens.css', 'web/src/ui/base.css', 'web/src/ui/words.css']
const sides = String.raw`(-(block|inline|top|right|bottom|left)(-(start|end))?)?`
const scaled = new RegExp(
  `^((padding|margin|inset)${sides}|((row|column)-)?gap|.*radius|font(-size)?|line-height|top|right|bottom|left)$`,
)

export const looseSheets = (sheets: readonly Sheet[]): string[] =>
  sheets
    .map(({ path }) => path)
    .filter((path) => path.startsWith('web/') && !path.endsWith('.module.css') && !globalSheets.includes(path))

/** Hairlines are drawn in pixels; whatever else isn't on the scale says why on its line. */
export function offScale({ path, text }: Sheet): string[] {
  if (path === globalSheets[0]) return []
  return text.split('\n').flatMap((line, index) => {
    const [, property = '', value = '', reason] = /^\s*([\w-]+):\s*(.*?);\s*(\/\*.+\*\/)?$/.exec(line) ?? []
    if (!scaled.test(property) || reason) return []
    const lengths = [...value.matchAll(/(?<![\w.#-])-?(\d*\.?\d+)(px|rem)\b/g)]
    const odd = lengths.filter(([, size, unit]) => Number(size) > (unit === 'px' ? 2 : 0)).map(([length]) => length)
    return odd.length > 0 ? [`${path}:${index + 1} ${property}: ${odd.join(' ')}`] : []
  })
}

const classesIn = (text: string): string[] =>
  [...text.replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|:[^;{}]*;/g, '').matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)].flatMap(
    ([, name]) => name ?? [],
  )

/** A name that a module doesn't have, and one that it has for nobody: a compiler sees neither. */
export function strayNames(sheets: readonly Sheet[], sources: readonly Source[]): string[] {
  const modules = new Map(
    sheets.filter(({ path }) => path.endsWith('.module.css')).map(({ path, text }) => [path, new Set(classesIn(text))]),
  )
  const worn = new Map([...modules.keys()].map((path) => [path, [] as RegExp[]]))
  const missing = sources.flatMap((source) =>
    stylesOf(source).flatMap(({ local, sheet }) => {
      const used = usedOf(source.text, local)
      worn.get(sheet)?.push(...used)
      const names = [...(modules.get(sheet) ?? [])]
      return used
        .filter((name) => !names.some((each) => name.test(each)))
        .map((name) => `${source.path}: ${name.source}`)
    }),
  )
  const unworn = [...modules].flatMap(([path, names]) =>
    [...names].filter((name) => !worn.get(path)?.some((used) => used.test(name))).map((name) => `${path}: .${name}`),
  )
  return [...missing, ...unworn]
}

const stylesOf = ({ path, text }: Source): { local: string; sheet: string }[] =>
  [...text.matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm)].map(([, local = '', from = '']) => ({
    local,
    sheet: posix.join(posix.dirname(path), from),
  }))

/** What follows the module's name: a name, a name in quotes, one with an open place, or any. */
const usedOf = (text: string, local: string): RegExp[] =>
  [...text.matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|\\['([^']+)'\\]|\\[\`([^\`$]*)\\$|(\\[))`, 'g'))].map(
    ([, name, quoted, start, any]) => new RegExp(any ? '.' : start ? `^${start}` : `^${name ?? quoted}$`),
  )

/** A bare word on an element is one of the few that all pages know. */
export function unknownWords(sheets: readonly Sheet[], sources: readonly Source[]): string[] {
  const words = new Set(sheets.filter(({ path }) => globalSheets.includes(path)).flatMap(({ text }) => classesIn(text)))
  const isWord = (word: string) => words.has(word) || (word.endsWith('-') && [...words].some((w) => w.startsWith(word)))
  return sources
    .filter(({ path }) => path.startsWith('web/src/'))
    .flatMap((source) =>
      [...nodes(source.program)].flatMap(({ node }) => {
        if (node.type !== 'JSXAttribute' || (node.name as Node).name !== 'className') return []
        const odd = spoken(node.value as Node | null).filter((word) => !isWord(word))
        return odd.map((word) => `${place(source, node.start)} ${word}`)
      }),
    )
}

/** The bare words among what a class name may come to. */
function spoken(node: Node | null): string[] {
  if (!node) return []
  const of = (...keys: string[]) => keys.flatMap((key) => [node[key]].flat().flatMap((each) => spoken(each as Node)))
  if (node.type === 'Literal')
    return String(node.value ?? '')
      .split(/\s+/)
      .filter(Boolean)
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw.split(/\s+/).filter(Boolean)
  if (node.type === 'ConditionalExpression') return of('consequent', 'alternate')
  if (node.type === 'TemplateLiteral') return of('quasis')
  if (node.type === 'LogicalExpression') return of('right')
  if (node.type === 'CallExpression') return of('arguments')
  return node.type === 'JSXExpressionContainer' ? of('expression') : []
}
