import { z } from 'zod'

/**
 * What of a list stands in its address: the endpoint's own filters, sort and cursor, the open row and the tab of its
 * drawer. Values stay text, so that an order number of 20 digits is not rounded.
 */
export type Address = {
  query: Record<string, string>
  open: string | null
  tab: string | null
  /** Which of several lists the screen shows; null for the first. */
  part: string | null
}

export type Shape = Readonly<Record<string, z.core.$ZodType>>

/** Pages, not conditions: two addresses that differ only here show the same filter. */
const paging = ['cursor', 'skip', 'pageSize', 'sort']

/** @param isTextId where the rows go by texts, not numbers */
export function readAddress(search: string, shape: Shape, isTextId = false): Address {
  const query: Record<string, string> = {}
  const { open = null, tab = null, part = null, ...asked } = Object.fromEntries(new URLSearchParams(search))
  for (const [name, value] of Object.entries(asked)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    // What the endpoint does not know or would refuse is not sent; the page says so.
    if (schema && z.safeParse(schema, value).success) query[name] = value
  }
  return { query, open: isId(open, isTextId) ? open : null, tab, part }
}

const isId = (text: string | null, isTextId: boolean): boolean =>
  text !== null && (isTextId ? /^[\w.:-]{1,120}$/ : /^[1-9]\d{0,15}$/).test(text)

export function writeAddress({ query, open, tab, part }: Address): string {
  const params = new URLSearchParams(query)
  if (part) params.set('part', part)
  if (open) params.set('open', open)
  if (open && tab) params.set('tab', tab)
  const text = params.toString()
  return text && `?${text}`
}

/** Other conditions or another order begin on the first page; an empty value takes its condition away. */
export function changed(query: Record<string, string>, changes: Record<string, string | undefined>) {
  const next: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...placed(query, {}), ...changes })) {
    if (value) next[name] = value
  }
  return next
}

/** A page: behind a cursor, or behind so many rows from the first; the first is behind neither. */
export type Place = { cursor?: string; skip?: string }

export const placed = (
  { cursor: _, skip: __, ...query }: Record<string, string>,
  place: Place,
): Record<string, string> => ({ ...query, ...place })

/** The pages before one that was jumped to. */
export const pagesBefore = (skip: number, size: number): Place[] =>
  Array.from({ length: Math.ceil(skip / size) }, (_, at) => (at === 0 ? {} : { skip: String(at * size) }))

export function conditionsOf(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !paging.includes(name)))
}

export function hasSameConditions(one: Record<string, string>, other: Record<string, string>): boolean {
  const [left, right] = [conditionsOf(one), conditionsOf(other)]
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}
