import { choicesOf } from '@aisle/contract/admin/choices'
import type { Field } from '@aisle/contract/kernel/field'
import { languages } from '@aisle/contract/kernel/text'
import type { z } from 'zod'
import { dotted, isTest, type Node, nodes, paths, place, read, type Source } from './source'

export type Catalog = Record<string, string>
/** Catalogs by domain and language, as they lie in contract/src/<domain>/text. */
export type Catalogs = Record<string, Record<string, Catalog>>

export function readCatalogs(): Catalogs {
  const catalogs: Catalogs = {}
  for (const path of paths) {
    const [, domain, language] = /^contract\/src\/(\w+)\/text\/(\w+)\.json$/.exec(path) ?? []
    if (!domain || !language) continue
    catalogs[domain] = { ...catalogs[domain], [language]: JSON.parse(read(path)) as Catalog }
  }
  return catalogs
}

/** Calls `judge` with every text and its Chinese counterpart; answers what it objects to. */
function eachText(
  catalogs: Catalogs,
  judge: (text: { value: string | undefined; chinese: string | undefined }) => string | undefined,
): string[] {
  return Object.entries(catalogs).flatMap(([domain, byLanguage]) => {
    const keys = new Set(Object.values(byLanguage).flatMap((catalog) => Object.keys(catalog)))
    return languages.flatMap((language) =>
      [...keys].flatMap((key) => {
        const objection = judge({ value: byLanguage[language]?.[key], chinese: byLanguage.zh?.[key] })
        return objection ? [`${domain}/${language} ${key}: ${objection}`] : []
      }),
    )
  })
}

export const missingTexts = (catalogs: Catalogs): string[] =>
  eachText(catalogs, ({ value }) => (value === undefined ? 'missing' : value.trim() === '' ? 'empty' : undefined))

export const unequalVariables = (catalogs: Catalogs): string[] =>
  eachText(catalogs, ({ value, chinese }) => {
    if (value === undefined || chinese === undefined || variables(value) === variables(chinese)) return undefined
    return `has ${variables(value) || 'no variable'}, Chinese has ${variables(chinese) || 'none'}`
  })

const variables = (text: string): string => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort().join(' ')

/** Chinese left in another language's catalog: a text that nobody translated. */
export const untranslated = (catalogs: Catalogs): string[] =>
  Object.entries(catalogs).flatMap(([domain, { zh: _, ...others }]) =>
    Object.entries(others).flatMap(([language, catalog]) =>
      Object.entries(catalog)
        .filter(([key, text]) => /\p{Script=Han}/u.test(text) && !key.startsWith('language.'))
        .map(([key]) => `${domain}/${language} ${key}`),
    ),
  )

export type StateWords = { words: string; states: readonly string[]; path: string }

/** What modules of the contract declare as state fields, to be worded as `<words>.<state>`. */
export function stateWordsIn(path: string, module: Record<string, unknown>): StateWords[] {
  return Object.values(module).flatMap((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const fields: object = 'fields' in value && typeof value.fields === 'object' ? (value.fields ?? {}) : value
    return Object.values(fields)
      .filter(isStateField)
      .map(({ words, tones }) => ({ words, states: Object.keys(tones), path }))
  })
}

const isStateField = (value: unknown): value is Field & { kind: 'state' } =>
  typeof value === 'object' && value !== null && 'words' in value && 'tones' in value

/**
 * Choices that a list is filtered by, worded as a field of that name words them, or as `<filter>.<choice>` where the
 * list has none; the kinds of a thing, and those in the columns of a list, as the fields beside it word them.
 */
export function filterWordsIn(path: string, module: Record<string, unknown>): StateWords[] {
  const values = Object.values(module)
  const worded = (words: string, schema?: z.ZodType): StateWords => ({
    words,
    states: [...(choicesOf(schema)?.choices ?? [])],
    path,
  })
  const columns = (shape: Shape, fields: object) =>
    Object.entries(fields).flatMap(([name, field]) => (hasWords(field) ? [worded(field.words, shape[name])] : []))
  return values.flatMap((value) => {
    if (isEntity(value)) return columns({ ...value.editable, ...value.item.shape }, value.fields)
    if (!isList(value)) return []
    const filters = Object.entries(value.input.shape).flatMap(([name, schema]) => {
      const fields = values.filter(isObject).map((each) => (each as Record<string, unknown>)[name])
      const own = fields.filter(hasWords).map((field) => worded(field.words, schema))
      return [worded(name, schema), ...own]
    })
    const shape = value.item.shape ?? {}
    return [...filters, ...values.filter(isObject).flatMap((fields) => columns(shape, fields))]
  })
}

type Shape = Record<string, z.ZodType>
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const hasWords = (field: unknown): field is { words: string } =>
  isObject(field) && 'words' in field && typeof field.words === 'string'
const isEntity = (value: unknown): value is { fields: object; editable: Shape; item: { shape: Shape } } =>
  isObject(value) && 'editable' in value && 'fields' in value && 'item' in value

const isList = (value: unknown): value is { input: { shape: Shape }; item: { shape?: Shape } } =>
  isObject(value) && 'sorts' in value && 'input' in value

/** What code says in texts: whole literals, and template literals as patterns with their variable parts open. */
export type Spoken = {
  literals: Set<string>
  names: Set<string>
  /** `tab.${name}`: a family of keys. */
  patterns: RegExp[]
  /** `${key}.hint`: what hangs on a key that is used itself. */
  endings: Set<string>
}

export function spokenIn(sources: readonly Source[]): Spoken {
  const spoken: Spoken = { literals: new Set(), names: new Set(), patterns: [], endings: new Set() }
  const families = new Set<string>()
  for (const source of sources) {
    if (isTest(source.path)) continue
    for (const { node } of nodes(source.program)) {
      if (node.type === 'Literal' && typeof node.value === 'string') spoken.literals.add(node.value)
      if (node.type === 'Identifier') spoken.names.add(String(node.name))
      if (node.type !== 'TemplateLiteral') continue
      const [first = '', ...rest] = quasisOf(node)
      if (/[a-z]/i.test(first)) families.add([first, ...rest].map(quoted).join('[\\w./-]+'))
      if (first === '' && rest.length === 1 && /^\.\w/.test(rest[0] ?? '')) spoken.endings.add(rest[0] ?? '')
    }
  }
  spoken.patterns = [...families].map((family) => new RegExp(`^${family}$`))
  return spoken
}

const quasisOf = (template: Node): string[] =>
  (template.quasis as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? '')

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Texts that no code asks for: not as a literal, not as the outcome of a template literal with something of its own in
 * it, not as a field's label, not as a state's word, not as a refusal.
 */
export function unusedTexts(
  catalogs: Catalogs,
  spoken: Spoken,
  known: { states: readonly StateWords[]; refusals: readonly string[]; screens: readonly string[] },
): string[] {
  const worded = new Set(known.states.flatMap(({ words, states }) => states.map((state) => `${words}.${state}`)))
  const refused = new Set(known.refusals.map((code) => `refusal.${code}`))
  const isUsed = (domain: string, key: string): boolean => {
    if (domain === 'screens' || domain === 'purposes') return known.screens.includes(key) || key.startsWith('group.')
    if (key.startsWith('refusal.')) return refused.has(key)
    if (spoken.literals.has(key) || worded.has(key.replace(/\.help$/, ''))) return true
    if (key.startsWith('field.')) return isSpokenName(spoken, key.slice('field.'.length).replace(/\.help$/, ''))
    if (spoken.patterns.some((pattern) => pattern.test(key))) return true
    const ending = [...spoken.endings].find((each) => key.endsWith(each))
    return ending !== undefined && isUsed(domain, key.slice(0, -ending.length))
  }
  return Object.entries(catalogs).flatMap(([domain, { zh = {} }]) =>
    Object.keys(zh)
      .filter((key) => !isUsed(domain, key))
      .map((key) => `${domain} ${key}`),
  )
}

const isSpokenName = ({ names, literals }: Spoken, name: string): boolean => names.has(name) || literals.has(name)

/** Literal keys that are asked for and that no catalog has: `t('…')` where `t` came from `useText('domain')`. */
export function unknownKeys(source: Source, catalogs: Catalogs): string[] {
  const translators = translatorsIn(source)
  const offences: string[] = []
  for (const { node } of nodes(source.program)) {
    if (node.type !== 'CallExpression') continue
    const [name = '', method] = dotted(node.callee).split('.')
    const domain = translators.get(name)
    const key = firstLiteral(node)
    if (!domain || key === undefined || (method !== undefined && method !== 'any')) continue
    if (catalogs[domain]?.zh?.[key] === undefined)
      offences.push(`${place(source, node.start)}: ${domain} has no ${key}`)
  }
  return offences
}

function translatorsIn(source: Source): Map<string, string> {
  const translators = new Map<string, string>()
  for (const { node } of nodes(source.program)) {
    const call = node.type === 'VariableDeclarator' ? (node.init as Node | null) : null
    if (call?.type !== 'CallExpression' || !/^(useText|textOf)$/.test(dotted(call.callee))) continue
    const domain = firstLiteral(call)
    if (domain) translators.set(dotted(node.id), domain)
  }
  return translators
}

function firstLiteral(call: Node): string | undefined {
  const [first] = call.arguments as Node[]
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
}
