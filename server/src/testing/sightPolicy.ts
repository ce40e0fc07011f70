import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { z } from 'zod'
import { cells } from './cells'
import type { Relation } from './fixtures'
import type { Hangs } from './sightCells'

/**
 * Who asks; all but the platform's are of the family's own merchant, and each role grants everything. A program calls
 * with a key that holds whatever keys may.
 */
export const askers = [
  'platform',
  'merchant',
  'ordinary',
  'doctor',
  'disabled',
  'otherRole',
  'viewing',
  'program',
  'nobody',
] as const
export type Asker = (typeof askers)[number]

/** What the cells call it: the count of a list is asked and answered as the list is. */
export const operationOf = ({ name }: Endpoint): string => name.replace(/Count$/, '')

/** Each noun of `/api/<nouns>/{id}`; one that is missing here fails the matrix. */
export const hangsOn: Record<string, Hangs> = Object.assign({}, ...cells.map((each) => each.hangsOn))

/** Fields of an input that name a row, by the noun of that row; null for those that only look like it. */
export const fieldNouns: Record<string, string | null> = Object.assign({}, ...cells.map((each) => each.fields))

/** Operations that are the platform's, whatever permission somebody else was given; and how they say so. */
export const platformsAlone: Record<string, 'request.notPermitted' | 'request.notFound'> = Object.assign(
  {},
  ...cells.map((each) => each.platformsAlone),
)

/** Verbs of a merchant as a whole: whoever sees only some of its machines does not turn them, whatever their role. */
export const administratorsAlone: ReadonlySet<string> = new Set(cells.flatMap((each) => each.administratorsAlone ?? []))

/** What stands beside the row in an input, where a made-up value would be refused before the row is looked at. */
export const given: Record<string, Record<string, unknown>> = Object.assign({}, ...cells.map((each) => each.given))

/** Operations that show what a merchant above made for all below it, by its name. */
const showsAbove: ReadonlySet<string> = new Set(cells.flatMap((each) => each.showsAbove ?? []))

const showsBelow: ReadonlySet<string> = new Set(cells.flatMap((each) => each.showsBelow ?? []))
const answersAbove: ReadonlySet<string> = new Set(cells.flatMap((each) => each.answersAbove ?? []))

/** Operations on something that no row of the family has: in sight or not, it is not there. */
export const nothingThere: ReadonlySet<string> = new Set(cells.flatMap((each) => each.nothingThere ?? []))

const seenByMerchant: ReadonlySet<Relation> = new Set(['own', 'child'])

/** Whose names an asker may read anywhere in an answer. */
export function isNamed(asker: Asker, relation: Relation, operation = ''): boolean {
  if (asker === 'platform') return true
  if (relation === 'parent' && showsAbove.has(operation)) return true
  if (relation === 'child' && showsBelow.has(operation)) return true
  if (asker === 'ordinary' || asker === 'doctor') return relation === 'own'
  return seenByMerchant.has(relation)
}

export function isInSight(asker: Asker, noun: string, relation: Relation, operation = ''): boolean {
  const hangs = hangsOn[noun]
  if (!hangs) throw new Error(`testing/sightPolicy.ts does not say what rows of /api/${noun} hang on`)
  if (hangs === 'everybody') return true
  if (hangs === 'user') return false
  if (relation === 'parent' && (hangs === 'merchantOrAbove' || answersAbove.has(operation))) return true
  return asker === 'platform' || (hangs !== 'platform' && isNamed(asker, relation))
}

/** A field of the input that names a row. */
export type Subject = { field: string; noun: string; isList: boolean; isInPath: boolean }

/** @throws Error for an id whose noun nobody declared */
export function subjectsOf(endpoint: Endpoint): Subject[] {
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]): Subject[] => {
    if (inPath.has(field)) return [{ field, noun: endpoint.path.split('/')[2] ?? '', isList: false, isInPath: true }]
    const exact = `${operationOf(endpoint)}.${field}`
    if (!/(Id|Ids)$|^id$|^ids$/.test(field) && !(exact in fieldNouns)) return []
    const noun = fieldNouns[exact in fieldNouns ? exact : field]
    if (noun === undefined) throw new Error(`testing/sightPolicy.ts: of what is ${field} of ${endpoint.name}?`)
    if (noun === null) return []
    const isList = typeof inner === 'object' && /"array"/.test(JSON.stringify(inner))
    return [{ field, noun, isList, isInPath: false }]
  })
}
