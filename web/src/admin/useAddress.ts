import { type RouterHistory, useNavigate, useRouter } from '@tanstack/react-router'
import { useMemo, useSyncExternalStore } from 'react'
import { useUnderstood } from '../ui/feedback/asked'
import { type Address, changed, readAddress, type Shape, writeAddress } from './address'

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
  const { cursors = [] } = location.state
  useUnderstood([...Object.keys(address.query), ...(address.open === null ? [] : ['open'])])

  const hrefOf = (next: Partial<Address>) => path + writeAddress({ ...address, ...next })
  const go = (next: Partial<Address>, before: readonly string[], replace = false) =>
    void navigate({ href: hrefOf(next), state: { cursors: before }, replace, resetScroll: false })
  return {
    ...address,
    hrefOf,
    /** How many pages stand before this one; null when a link led into the middle. */
    pagesBefore: address.query.cursor && cursors.length === 0 ? null : cursors.length,
    change: (changes: Record<string, string | undefined>) =>
      go({ query: changed(address.query, changes), open: null }, []),
    show: (query: Query) => go({ query, open: null }, []),
    openRow: (open: string, isReplaced: boolean) => go({ open, tab: address.tab }, cursors, isReplaced),
    close: () => go({ open: null, tab: null }, cursors),
    pickTab: (tab: string) => go({ tab }, cursors, true),
    nextPage: (cursor: string) =>
      go({ query: { ...address.query, cursor }, open: null }, [...cursors, address.query.cursor ?? '']),
    previousPage: () => {
      const cursor = cursors.at(-1)
      go({ query: withCursor(address.query, cursor), open: null }, cursors.slice(0, -1))
    },
  }
}

function locationsAt(history: RouterHistory, path: string) {
  let last = history.location
  const current = () => {
    if (history.location.pathname === path) last = history.location
    return last
  }
  return { current, subscribe: (listener: () => void) => history.subscribe(listener) }
}

export type ListAddress = ReturnType<typeof useAddress>

function withCursor({ cursor: _, ...query }: Query, cursor: string | undefined): Query {
  return cursor ? { ...query, cursor } : query
}
