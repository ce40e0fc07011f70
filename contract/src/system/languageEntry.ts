import { z } from 'zod'
import { endpoint, listEndpoint, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { languages } from '../kernel/text'

export const languageEntryRefusals = defineRefusals('system', {
  'languageEntry.placeholders': 422,
  'languageEntry.nesting': 422,
})

export const MAX_TEXT_LENGTH = 2_000
export const MAX_IMPORT_ROWS = 500

/** The `{{x}}` of a text, each once, in order of the alphabet: every language of a text has the same. */
export const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{\s*(.*?)\s*\}\}/g)].map(([, name]) => name ?? ''))].sort()

/**
 * What keeps a text from taking the place of another.
 * @param shipped the text in the same place, in any language
 */
export function objectionTo(text: string, shipped: string): 'empty' | 'tooLong' | 'placeholders' | 'nesting' | null {
  if (text.trim() === '') return 'empty'
  if (text.length > MAX_TEXT_LENGTH) return 'tooLong'
  if (/\$t\(/.test(text)) return 'nesting'
  if (placeholdersOf(text).join() !== placeholdersOf(shipped).join()) return 'placeholders'
  return /\{\{|\}\}/.test(text.replace(/\{\{\s*\w+\s*\}\}/g, '')) ? 'placeholders' : null
}

/** Domains whose words the product speaks, as their catalogs are named. */
export const namespaces = [
  'kernel',
  'admin',
  'identity',
  'merchant',
  'fleet',
  'trade',
  'device',
  'wallboard',
  'rights',
  'people',
  'sight',
  'audit',
  'notice',
  'report',
  'support',
  'member',
  'system',
  'screens',
  'purposes',
] as const

export const entryStates = ['overridden', 'untranslated'] as const

const texts = { zh: z.string(), en: z.string(), fr: z.string(), ko: z.string() }
const zLanguages = z.array(z.enum(languages))

const languageEntry = z.object({
  id: z.int(),
  namespace: z.string(),
  key: z.string(),
  ...texts,
  /** Languages in which this installation says it otherwise than the product is shipped. */
  overridden: zLanguages,
  /** Languages without a text of their own, or with the Chinese one. */
  untranslated: zLanguages,
  changedAt: zInstant.nullable(),
  changedBy: z.string().nullable(),
})
export type LanguageEntry = z.output<typeof languageEntry>

export const languageEntryFields = {
  entryState: stateField('entryState', entryStates, { overridden: 'busy', untranslated: 'warn' }),
  key: { kind: 'code' },
  namespace: { kind: 'state', words: 'namespace', tones: {} },
  zh: { kind: 'text' },
  en: { kind: 'text' },
  fr: { kind: 'text' },
  ko: { kind: 'text' },
  changedAt: { kind: 'dateTime' },
  changedBy: { kind: 'text' },
} satisfies Fields

const filters = {
  q: zSearch.optional(),
  namespace: z.enum(namespaces).optional(),
  entryState: z.enum(entryStates).optional(),
}

export const listLanguageEntries = listEndpoint({
  name: 'system.listLanguageEntries',
  path: '/api/language-entries',
  access: 'languageEntry.read',
  summary: "The product's texts in four languages, as this installation says them",
  filters,
  sorts: ['key', 'changed'],
  item: languageEntry,
})

export const getLanguageEntry = endpoint({
  name: 'system.getLanguageEntry',
  method: 'GET',
  path: '/api/language-entries/{id}',
  access: 'languageEntry.read',
  input: z.strictObject({ id: zId }),
  output: languageEntry.extend({ shipped: z.object(texts), placeholders: z.array(z.string()), version: z.int() }),
  refusals: ['request.notFound'],
  summary: 'One text with what it is shipped as',
})

const zText = z.string().max(MAX_TEXT_LENGTH).nullable()

export const overrideText = endpoint({
  name: 'system.overrideText',
  method: 'POST',
  path: '/api/language-entries/{id}/override',
  access: 'languageEntry.write',
  writes: true,
  /** null, or the text as it is shipped, takes the override back. */
  input: z.strictObject({
    id: zId,
    version: z.coerce.number().int().min(0),
    zh: zText,
    en: zText,
    fr: zText,
    ko: zText,
  }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', ...languageEntryRefusals],
  summary: 'Say a text otherwise, at once and without a release',
})

export const resetText = endpoint({
  name: 'system.resetText',
  method: 'POST',
  path: '/api/language-entries/{id}/reset',
  access: 'languageEntry.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Say a text as it is shipped, in every language',
})

const fileRow = z.object({ namespace: z.string(), key: z.string(), ...texts })

export const exportLanguageEntries = endpoint({
  name: 'system.exportLanguageEntries',
  method: 'GET',
  path: '/api/language-entry-file',
  access: 'languageEntry.read',
  input: z.strictObject(filters),
  output: z.object({ items: z.array(fileRow) }),
  summary: 'All texts that a filter leaves, for a file that translators work in',
})

const zRow = z.strictObject({
  namespace: z.string().max(40),
  key: z.string().max(200),
  zh: z.string().max(9_999).optional(),
  en: z.string().max(9_999).optional(),
  fr: z.string().max(9_999).optional(),
  ko: z.string().max(9_999).optional(),
})

/** Why a row of a file changes nothing. */
export const rowObjections = ['unknownKey', 'twice', 'tooLong', 'placeholders', 'nesting', 'empty'] as const

const change = z.object({
  namespace: z.string(),
  key: z.string(),
  language: z.enum(languages),
  before: z.string(),
  after: z.string(),
})
const refused = z.object({
  /** Counts the rows of the input from 1. */
  row: z.int(),
  namespace: z.string(),
  key: z.string(),
  language: z.enum(languages).nullable(),
  reason: z.enum(rowObjections),
})
const rows = z.strictObject({ rows: z.array(zRow).min(1).max(MAX_IMPORT_ROWS) })

export const previewLanguageImport = endpoint({
  name: 'system.previewLanguageImport',
  method: 'POST',
  path: '/api/language-entry-file/preview',
  access: 'languageEntry.write',
  input: rows,
  output: z.object({ changes: z.array(change), refused: z.array(refused), same: z.int() }),
  summary: 'What rows of a file would change, and which of them are refused and why',
})

export const importLanguageEntries = endpoint({
  name: 'system.importLanguageEntries',
  method: 'POST',
  path: '/api/language-entry-file/import',
  access: 'languageEntry.write',
  writes: true,
  input: rows,
  output: z.object({ changed: z.int(), refused: z.array(refused) }),
  summary: 'Take over what the preview showed; refused rows change nothing',
})

export const getTextOverrides = endpoint({
  name: 'system.getTextOverrides',
  method: 'GET',
  path: '/api/texts',
  access: 'public',
  input: z.strictObject({ language: z.enum(languages).optional() }),
  output: z.object({
    /** Raised by each change. */
    version: z.int(),
    items: z.array(z.object({ namespace: z.string(), key: z.string(), text: z.string() })),
  }),
  summary: 'What this installation says otherwise than shipped, in the language asked for',
})
