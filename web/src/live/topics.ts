import { useEffect, useEffectEvent } from 'react'
import { tellSessionEnded } from './call'
import { now } from './clock'
import { doubt } from './reach'
import { storedToken } from './session'
import { watchSilence } from './silence'

/**
 * One WebSocket for the signed-in application. The first frame says who we are, then the server pushes what changed;
 * a page refetches, it does not trust a push with data. It also says for how long nothing was heard, and the server
 * pushes what may have changed meanwhile.
 */
export type Topic = 'orders' | 'machines' | 'commands' | 'messages' | 'changes' | 'rights' | 'session'
type TopicEvent = { topic: Topic } & Record<string, unknown>
type Handler = (event: TopicEvent) => void

const ADDRESS = '/ws/live'
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000
/** The server closes with it when the token is no longer good: connecting again would be refused again. */
const CLOSED_SIGNED_OUT = 4401

const handlers = new Map<Topic, Set<Handler>>()
let socket: WebSocket | null = null
let retries = 0
/** What was shown before the first socket may be out of date too. Not a clock that stops while a machine sleeps. */
let heardAtMs = performance.timeOrigin
let timer: ReturnType<typeof setTimeout> | undefined

/** The handler may change from render to render; the newest one is called. */
export function useTopic(topic: Topic, handler: Handler): void {
  const newest = useEffectEvent(handler)
  useEffect(() => subscribe(topic, (event) => newest(event)), [topic])
}

function subscribe(topic: Topic, handler: Handler): () => void {
  const set = handlers.get(topic) ?? new Set()
  handlers.set(topic, set.add(handler))
  connect()
  return () => {
    set.delete(handler)
  }
}

function connect(): void {
  const token = storedToken()
  if (socket || !token) return
  clearTimeout(timer)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new WebSocket(`${scheme}://${location.host}${ADDRESS}`)
  socket = opened
  opened.onopen = () => {
    opened.send(JSON.stringify({ token, unheardMs: Math.max(1, Math.ceil(now() - heardAtMs)) }))
    retries = 0
  }
  opened.onmessage = (message) => receive(message.data)
  opened.onclose = ({ code }) => {
    if (socket !== opened) return
    if (code === CLOSED_SIGNED_OUT) socket = null
    else lost()
  }
  watchSilence(opened, () => socket === opened && lost())
}

function lost(): void {
  socket = null
  doubt()
  clearTimeout(timer)
  timer = setTimeout(connect, retryAfterMs())
}

/** Doubling, with half of it left to chance, so that a thousand tabs do not come back in the same second. */
function retryAfterMs(): number {
  const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries)
  retries += 1
  return longest / 2 + (Math.random() * longest) / 2
}

function receive(data: unknown): void {
  heardAtMs = now()
  const event = typeof data === 'string' ? eventIn(data) : null
  if (!event) return
  const { topic, code } = event
  if (topic === 'session' && (code === 'B1000' || code === 'S9999')) void tellSessionEnded(code)
  deliver(event)
}

function eventIn(text: string): TopicEvent | null {
  try {
    const event = JSON.parse(text) as TopicEvent | null
    return typeof event?.topic === 'string' ? event : null
  } catch {
    return null
  }
}

function deliver(event: TopicEvent): void {
  for (const handler of handlers.get(event.topic) ?? []) handler(event)
}

/** Waking up or coming back to the network is a good moment to try at once. */
addEventListener('online', connect)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) connect()
})
