import { type CallOf, type Endpoint, MAX_PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Held } from '../live/held'
import { call } from '../live/call'
import { refetch, useEndpoint } from '../live/query'
import { useTopic } from '../live/topics'
import { conditionsOf } from './address'
import type { LiveList } from './declaration'

/** What `listEndpoint` makes, seen from a page that only knows that it is a list. */
export type ListEndpoint = Endpoint & {
  input: z.ZodObject
  output: z.ZodType<{ items: Row[]; nextCursor: string | null }>
  item: z.ZodType<Row>
  sorts: readonly string[]
  sums: z.ZodRawShape
  count: Endpoint & { input: z.ZodObject; output: z.ZodType<{ total: number | null; sums?: Record<string, unknown> }> }
}
/** A thing without a number of its own may go by a text. */
export type RowId = number | string
export type Row = { id: RowId } & Record<string, unknown>
export type RowOf<L extends ListEndpoint> = z.output<L['output']>['items'][number]
export type SumsOf<L extends ListEndpoint> = NonNullable<z.output<L['count']['output']>['sums']>

/** However many pushes come, the first page is fetched again this often at most. */
const LIVE_EVERY_MS = 2_000

/** The rows for a query; the old ones stay in sight until the next ones are here. */
export function useList<L extends ListEndpoint>(list: L, query: Record<string, string>) {
  const {
    data,
    error,
    isPlaceholderData,
    refetch: askAgain,
  } = useEndpoint(list, query as CallOf<L>, {
    errors: 'throw',
    placeholderData: keepPreviousData,
  })
  const rows: readonly RowOf<L>[] = data?.items ?? []
  const isFresh = useFresh(rows, JSON.stringify(query), data !== undefined && !isPlaceholderData)
  // Only what is shown is read of an answer: a page is not drawn anew because the same rows were fetched again.
  return { data, error, isPlaceholderData, refetch: askAgain, rows, isFresh }
}

/** The first rows of a list, leafed through and not kept: for what is done with more of them than a page shows. */
export async function readRows<L extends ListEndpoint>(
  list: L,
  query: Record<string, unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<RowOf<L>[]> {
  const rows: RowOf<L>[] = []
  let cursor: string | null = null
  do {
    const asked = { ...query, pageSize: MAX_PAGE_SIZE, ...(cursor && { cursor }) }
    const page: { items: RowOf<L>[]; nextCursor: string | null } = await call(list, asked as CallOf<L>)
    rows.push(...page.items)
    cursor = page.nextCursor
  } while (cursor && rows.length < most)
  return rows.slice(0, most)
}

/** How many rows the filter leaves and what they come to: asked beside the rows, once for all pages and orders. */
export function useWhole<L extends ListEndpoint>(list: L, query: Record<string, string>) {
  const count: L['count'] = list.count
  return useEndpoint(count, conditionsOf(query) as CallOf<L['count']>, {
    errors: 'throw',
    placeholderData: keepPreviousData,
  })
}

type Seen = { rows: readonly Row[]; key: string; ids: ReadonlySet<RowId>; fresh: ReadonlySet<RowId> }

/** Rows that were not there when the same query was last answered. */
function useFresh(rows: readonly Row[], key: string, isAnswer: boolean): (row: Row) => boolean {
  const [seen, setSeen] = useState<Seen>({ rows: [], key: '', ids: new Set(), fresh: new Set() })
  if (isAnswer && (seen.rows !== rows || seen.key !== key)) {
    const ids = new Set(rows.map(({ id }) => id))
    const isSameList = seen.key === key && seen.ids.size > 0
    const fresh = new Set(isSameList ? [...ids].filter((id) => !seen.ids.has(id)) : [])
    setSeen({ rows, key, ids, fresh })
  }
  return ({ id }) => seen.fresh.has(id)
}

/**
 * Fetches these again when the server pushes the topic or a change to these objects; without either, never.
 * @param held of the first of them: while it holds still, what is new is looked up and waits
 */
export function useLive(live: LiveList | undefined, endpoints: readonly Endpoint[], held?: Held): void {
  const kinds = live && 'kinds' in live ? live.kinds : null
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  useTopic(live && 'topic' in live ? live.topic : 'changes', (event) => {
    const isWanted = kinds ? isAmong(kinds, event.kinds) : live !== undefined
    if (!isWanted || waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      if (held?.isHeld()) void held.peek()
      void refetch(...(held?.isHeld() ? endpoints.slice(1) : endpoints))
    }, LIVE_EVERY_MS)
  })
}

/** No kinds said: anything may have changed. */
const isAmong = (wanted: readonly string[], said: unknown): boolean =>
  !Array.isArray(said) || said.length === 0 || said.some((kind) => wanted.includes(String(kind)))
