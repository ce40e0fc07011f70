import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { languages } from '@aisle/contract/kernel/text'
import {
  type exportLanguageEntries,
  type getLanguageEntry,
  type getTextOverrides,
  type LanguageEntry,
  type listLanguageEntries,
  placeholdersOf,
} from '@aisle/contract/system/languageEntry'
import type { CallContext, Reader } from '../../kernel/context'
import type { Listing } from '../../kernel/list'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { nameOf, type Shipped, shippedById, shippedTexts } from './languageEntry.catalog'
import { textsInForce, untranslatedIn } from './languageEntry.rules'
import { type Override, readOverrides, readVersion } from './languageEntry.store'

type Filter = InputOf<typeof exportLanguageEntries>
type Asked = InputOf<typeof listLanguageEntries>
type Key = { key: string; id: number }

const isKey = (value: unknown): value is Key =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'id' in value &&
  typeof value.key === 'string' &&
  Number.isSafeInteger(value.id)

/** The catalogs lie in memory and never grow with the age of the data: they are filtered here, not in the database. */
export const listingOf = (asked: Asked): Listing<LanguageEntry> => ({
  page: async (db, { cursor, pageSize }) => {
    const after = readCursor(cursor, isKey)
    const entries = (await filtered(db, asked)).toSorted(orders[asked.sort])
    const beyond = after ? entries.filter((entry) => orders[asked.sort](entry, placeOf(after)) > 0) : entries
    const items = beyond.slice(0, pageSize)
    const last = beyond.length > pageSize ? items.at(-1) : undefined
    return { items, nextCursor: last ? writeCursor({ key: last.changedAt ?? '', id: last.id }) : null }
  },
  count: async (db) => ({ total: (await filtered(db, asked)).length }),
})

type Place = { id: number; changedAt: string | null }
const placeOf = ({ key, id }: Key): Place => ({ id, changedAt: key || null })

const orders: Record<Asked['sort'], (a: Place, b: Place) => number> = {
  key: (a, b) => a.id - b.id,
  changed: (a, b) => Date.parse(b.changedAt ?? NEVER) - Date.parse(a.changedAt ?? NEVER) || a.id - b.id,
}
const NEVER = '1970-01-01T00:00:00Z'

export async function filtered(db: Reader, filter: Filter): Promise<LanguageEntry[]> {
  const overrides = await readOverrides(db)
  return shippedTexts
    .filter(({ namespace }) => !filter.namespace || namespace === filter.namespace)
    .map((shipped) => entryOf(shipped, overrides.get(nameOf(shipped))))
    .filter((entry) => isAsked(entry, filter))
}

function isAsked(entry: LanguageEntry, { q, entryState }: Filter): boolean {
  if (entryState && entry[entryState].length === 0) return false
  if (!q) return true
  const wanted = q.toLowerCase()
  return [entry.key, ...languages.map((language) => entry[language])].some((text) =>
    text.toLowerCase().includes(wanted),
  )
}

function entryOf({ id, namespace, key, texts }: Shipped, override: Override | undefined): LanguageEntry {
  const now = textsInForce({ shipped: texts, others: override ?? {} })
  return {
    id,
    namespace,
    key,
    ...now,
    overridden: languages.filter((language) => typeof override?.[language] === 'string'),
    untranslated: untranslatedIn(now),
    changedAt: override?.changedAt ?? null,
    changedBy: override?.changedBy ?? null,
  }
}

export async function findEntry(db: Reader, id: number): Promise<OutputOf<typeof getLanguageEntry> | undefined> {
  const shipped = shippedById(id)
  if (!shipped) return undefined
  const override = (await readOverrides(db)).get(nameOf(shipped))
  return {
    ...entryOf(shipped, override),
    shipped: shipped.texts,
    placeholders: placeholdersOf(shipped.texts.zh),
    version: override?.version ?? 0,
  }
}

/** Read together in one statement's time would be nicer; an older version with newer words only asks once more. */
export async function overridesFor({ db, language }: CallContext): Promise<OutputOf<typeof getTextOverrides>> {
  const version = await readVersion(db)
  const overrides = await readOverrides(db)
  const items = [...overrides.values()].flatMap(({ namespace, key, [language]: text }) =>
    typeof text === 'string' ? [{ namespace, key, text }] : [],
  )
  return { version, items }
}
