import { createContext, useContext, useSyncExternalStore } from 'react'

export const themes = ['light', 'dark', 'auto'] as const
export type Theme = (typeof themes)[number]

const STORED = 'aisle.theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let theme: Theme = themes.find((each) => each === localStorage.getItem(STORED)) ?? 'auto'

const TIMES = 'aisle.times'
let isExact = localStorage.getItem(TIMES) === 'exact'

/** What is read later: on paper "2 hours ago" says nothing. */
export const PaperContext = createContext(false)

/** Whether times are said by the clock in place of how long ago they were. */
export function useExactTimes(): boolean {
  const isOnPaper = useContext(PaperContext)
  return useSyncExternalStore(subscribe, () => isExact) || isOnPaper
}

export function setExactTimes(next: boolean): void {
  isExact = next
  localStorage.setItem(TIMES, next ? 'exact' : 'ago')
  for (const listener of listeners) listener()
}

/** What the person chose; `auto` follows the system. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme)

export function setTheme(next: Theme): void {
  theme = next
  localStorage.setItem(STORED, next)
  apply()
}

const isDark = (): boolean => (theme === 'auto' ? system.matches : theme === 'dark')

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

system.addEventListener('change', apply)
apply()
