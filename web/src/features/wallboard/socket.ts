import { now } from '../../live/clock'
import { watchSilence } from '../../live/silence'
import { type Link, retryAfterMs, SLOW_RETRIES } from './link.rules'

/** A connection that has not opened by then is given up for a new one. */
const OPEN_WITHIN_MS = 5_000

/** A refusal stands until an administrator acts, so asking every second would be noise. */
export type Registration = 'registered' | 'failed' | 'refused'

type Handlers = {
  /** Before each connection. */
  register: () => Promise<Registration>
  onLink: (link: Link) => void
  onFrame: (data: unknown, receivedAtMs: number) => void
}

/**
 * A WebSocket that comes back by itself. Opening, errors and closing are only logged (spec §7); the first frame of each
 * connection is a greeting and is ignored.
 */
export function keepConnected(address: string, { register, onLink, onFrame }: Handlers) {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let retries = 0
  let isStopped = false
  let isTrying = false

  const open = async () => {
    if (isStopped || isTrying || socket) return
    clearTimeout(timer)
    isTrying = true
    const registration = await register()
    isTrying = false
    if (isStopped) return
    if (registration === 'registered') return connect()
    if (registration === 'refused') retries = SLOW_RETRIES
    lost()
  }
  const connect = () => {
    const opened = new WebSocket(address)
    let isGreeted = false
    socket = opened
    timer = setTimeout(() => opened.close(), OPEN_WITHIN_MS)
    opened.onopen = () => {
      console.info('wallboard: connected')
      clearTimeout(timer)
      retries = 0
      onLink('open')
    }
    opened.onmessage = ({ data }) => {
      if (isGreeted) onFrame(data, now())
      isGreeted = true
    }
    watchSilence(opened, () => socket === opened && lost())
    opened.onerror = () => console.info('wallboard: connection error')
    opened.onclose = ({ code }) => {
      console.info('wallboard: connection closed', code)
      if (socket === opened) lost()
    }
  }
  const lost = () => {
    socket = null
    if (isStopped) return
    onLink('closed')
    clearTimeout(timer)
    timer = setTimeout(open, retryAfterMs(retries, Math.random()))
    retries += 1
  }
  /** Closes what may be dead and connects at once: after sleep, or when the figures move and the socket is silent. */
  const reopen = () => {
    const old = socket
    socket = null
    clearTimeout(timer)
    old?.close()
    void open()
  }
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
    socket?.close()
    socket = null
  }
  const start = () => {
    isStopped = false
    void open()
  }
  return { start, reopen, stop, isOpen: () => socket?.readyState === WebSocket.OPEN }
}
