import { screenAt } from '@aisle/contract/screens'
import { useSyncExternalStore } from 'react'

/** The pages of this tab of the browser, each with its last address, so that going back finds the filters again. */
export type Visit = { path: string; href: string }

const STORED = 'aisle.visited'
const HOME = '/dashboard'
const MOST = 16

const listeners = new Set<() => void>()
let visits: readonly Visit[] = restore()

export const useVisits = (): readonly Visit[] => useSyncExternalStore(subscribe, () => visits)

export function recordVisit(path: string, href: string): void {
  const screen = screenAt(path)
  if (!screen || screen.group === 'public') return
  const isKnown = visits.some((visit) => visit.path === path)
  const next = isKnown
    ? visits.map((visit) => (visit.path === path ? { path, href } : visit))
    : [...visits, { path, href }]
  put(next.length > MOST ? [...next.slice(0, 1), ...next.slice(2)] : next)
}

/** @returns where to go when the page that was closed is the one on the screen */
export function closeVisit(path: string): string {
  const at = visits.findIndex((visit) => visit.path === path)
  const neighbour = visits[at + 1] ?? visits[at - 1]
  put(visits.filter((visit) => visit.path !== path))
  return neighbour?.href ?? HOME
}

export const closeOthers = (path: string): void =>
  put(visits.filter((visit) => visit.path === path || visit.path === HOME))

export const isPinned = ({ path }: Visit): boolean => path === HOME

function put(next: readonly Visit[]): void {
  visits = next
  sessionStorage.setItem(STORED, JSON.stringify(next))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function restore(): Visit[] {
  const home = { path: HOME, href: HOME }
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as Visit[]
    const known = stored.filter(({ path }) => screenAt(path))
    return known.length > 0 ? known : [home]
  } catch {
    return [home]
  }
}
