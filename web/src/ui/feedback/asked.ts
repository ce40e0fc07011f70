import { useEffect, useState, useSyncExternalStore } from 'react'

/** Which names of the address each part of the page makes something of, with the values that they have. */
let understood: readonly (readonly string[])[] = []
const listeners = new Set<() => void>()
/** What a page shows beside its first answer is there by then. */
const SETTLED_MS = 2_000

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function put(next: typeof understood): void {
  understood = next
  for (const listener of listeners) listener()
}

/** @param names those that stand in the address and whose value this part of the page takes */
export function useUnderstood(names: readonly string[]): void {
  const text = names.join(' ')
  useEffect(() => {
    const own = text.split(' ')
    put([...understood, own])
    return () => put(understood.filter((each) => each !== own))
  }, [text])
}

/** Parts of the address that nobody on the page understands, once the page stands. */
export function useNotUnderstood(search: string): readonly [string, string][] {
  const names = new Set(useSyncExternalStore(subscribe, () => understood).flat())
  const left = [...new URLSearchParams(search)].filter(([name]) => !names.has(name))
  const text = JSON.stringify(left)
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text ? left : []
}
