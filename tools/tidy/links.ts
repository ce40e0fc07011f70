import { isTest, type Node, nodes, place, type Source } from './source'
import type { Catalogs } from './texts'
import { calls, type Known, literalOf, objectOf, pairsOf, valueOf } from './values'

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
    // A part of the screen that is no list takes what it will.
    const list = found.find((each) => each.part === part) ?? (part ? undefined : found[0])
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

const screenIn = (node: Node | undefined, { text }: Source): string | undefined =>
  node && /^screenOf\('([^']+)'\)\.path$/.exec(text.slice(node.start, node.end))?.[1]

const literalsOf = (object: Node): Record<string, string> =>
  Object.fromEntries(
    [...pairsOf(object)].flatMap(([name, node]) => {
      const value = literalOf(node)
      return value === undefined ? [] : [[name, value]]
    }),
  )
