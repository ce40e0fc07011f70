import { PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import { type RouterHistory, useNavigate, useRouter } from '@tanstack/react-router'
import { useMemo, useSyncExternalStore } from 'react'
import { useUnderstood } from '../ui/feedback/asked'
import {
  type Address,
  changed,
  type Place,
  placed,
  pagesBefore,
  readAddress,
  type Shape,
  writeAddress,
} from './address'

type Query = Record<string, string>

/**
 * The state of a list, in the address: reload, back and a link show the same. Only what the endpoint's input takes.
 * @param path of the screen; while another one is loading, the address is already its own and is not read here
 */
export function useAddress(path: string, shape: Shape, isTextId = false) {
  const { history } = useRouter()
  const navigate = useNavigate()
  const store = useMemo(() => locationsAt(history, path), [history, path])
  const location = useSyncExternalStore(store.subscribe, store.current)
  const address = useMemo(() => readAddress(location.search, shape, isTextId), [location.search, shape, isTextId])
  const { cursor, skip = 0, pageSize = PAGE_SIZE } = address.query
  const { before = pagesBefore(Number(skip), Number(pageSize)) } = location.state
  useUnderstood([...Object.keys(address.query), ...(address.open === null ? [] : ['open'])])

  const hrefOf = (next: Partial<Address>) => path + writeAddress({ ...address, ...next })
  const go = (next: Partial<Address>, pages: readonly Place[], replace = false) =>
    void navigate({ href: hrefOf(next), state: { before: pages }, replace, resetScroll: false })
  return {
    ...address,
    hrefOf,
    /** How many pages stand before this one; null when a link led into the middle. */
    pagesBefore: cursor && before.length === 0 ? null : before.length,
    /** Of what the address says by then: somebody quick has changed it before this was drawn again. */
    change: (changes: Record<string, string | undefined>) => {
      const { query } = readAddress(store.current().search, shape, isTextId)
      go({ query: changed(query, changes), open: null }, [])
    },
    show: (query: Query) => go({ query, open: null }, []),
    openRow: (open: string, isReplaced: boolean) => go({ open, tab: address.tab }, before, isReplaced),
    close: () => go({ open: null, tab: null }, before),
    pickTab: (tab: string) => go({ tab }, before, true),
    nextPage: (next: string) =>
      go({ query: placed(address.query, { cursor: next }), open: null }, [...before, placeOf(address.query)]),
    previousPage: () => go({ query: placed(address.query, before.at(-1) ?? {}), open: null }, before.slice(0, -1)),
    /** @param rows before the page */
    jump: (rows: number, size: number) =>
      go({ query: placed(address.query, rows > 0 ? { skip: String(rows) } : {}), open: null }, pagesBefore(rows, size)),
  }
}

const placeOf = ({ cursor, skip }: Query): Place => (cursor ? { cursor } : skip ? { skip } : {})

function locationsAt(history: RouterHistory, path: string) {
  let last = history.location
  const current = () => {
    if (history.location.pathname === path) last = history.location
    return last
  }
  return { current, subscribe: (listener: () => void) => history.subscribe(listener) }
}

export type ListAddress = ReturnType<typeof useAddress>
