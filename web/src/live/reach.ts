import { useSyncExternalStore } from 'react'
import { now } from './clock'

/** Whether the server can be reached; asked only once something did not come through, until it does. */
const ASK_EVERY_MS = 2_000
const ANSWER_WITHIN_MS = 3_000

const listeners = new Set<() => void>()
let awaySinceMs: number | null = null
let isAsking = false

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null while the server answers. */
export const useAwaySince = (): number | null => useSyncExternalStore(subscribe, () => awaySinceMs)

/** @returns stops listening */
export function onBack(back: () => void): () => void {
  let wasAway = awaySinceMs !== null
  return subscribe(() => {
    if (wasAway && awaySinceMs === null) back()
    wasAway = awaySinceMs !== null
  })
}

/** A call got no answer, the socket closed or fell silent: each may have another cause, so the server is asked. */
export function doubt(): void {
  if (!isAsking) void askUntilThere()
}

async function askUntilThere(): Promise<void> {
  isAsking = true
  while (!(await isThere())) {
    say(awaySinceMs ?? now())
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS))
  }
  isAsking = false
  say(null)
}

/** What the browser says of being online is not asked: it knows a cable, and neither this computer nor the server. */
async function isThere(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return answer.ok
  } catch {
    return false
  }
}

function say(since: number | null): void {
  if (awaySinceMs === since) return
  awaySinceMs = since
  for (const listener of listeners) listener()
}

addEventListener('offline', doubt)
