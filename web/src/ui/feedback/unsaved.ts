import { useEffect, useId, useSyncExternalStore } from 'react'

/** What was typed and not saved, by the form it stands in; told where it may be lost. */
let unsaved: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function put(next: ReadonlyMap<string, string>): void {
  unsaved = next
  for (const listener of listeners) listener()
}

/** @param name of the form, as its reader knows it; the page's, when left out */
export function useUnsaved(isUnsaved: boolean, name?: string): void {
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    put(new Map(unsaved).set(id, name ?? document.title.split(' · ')[0] ?? ''))
    return () => put(new Map([...unsaved].filter(([each]) => each !== id)))
  }, [id, isUnsaved, name])
}

export const useUnsavedNames = (): readonly string[] => [
  ...new Set(useSyncExternalStore(subscribe, () => unsaved).values()),
]
