import { useSyncExternalStore } from 'react'

/** The only place of the web application that reads the clock. Milliseconds since 1970. */
export const now = (): number => Date.now()

type Ticker = { at: () => number; subscribe: (listener: () => void) => () => void }
const tickers = new Map<number, Ticker>()

/** The time, renewed every `ms` on the whole multiple, so that all clocks of a page turn together. */
export function useNow(ms: number): number {
  const { at, subscribe } = tickerOf(ms)
  return useSyncExternalStore(subscribe, at)
}

function tickerOf(ms: number): Ticker {
  const known = tickers.get(ms)
  if (known) return known
  const made = ticker(ms)
  tickers.set(ms, made)
  return made
}

/** Runs only while somebody listens. */
function ticker(ms: number): Ticker {
  const listeners = new Set<() => void>()
  let at = now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    timer = setTimeout(tick, ms - (now() % ms))
  }
  const tick = () => {
    at = now()
    for (const listener of listeners) listener()
    wait()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    if (listeners.size === 1) {
      at = now()
      wait()
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) clearTimeout(timer)
    }
  }
  return { at: () => at, subscribe }
}
