import { SILENT_MS } from '@aisle/contract/kernel/beat'
import { now } from './clock'

const LOOK_EVERY_MS = 1_000

/**
 * A network that is cut closes nothing: a browser believes in its connection for minutes. The server says something
 * every few seconds, so that who hears nothing for longer knows. It is told once, and the
 * socket closed.
 */
export function watchSilence(socket: WebSocket, onSilent: () => unknown): void {
  let heardAtMs = now()
  const timer = setInterval(() => {
    if (now() - heardAtMs <= SILENT_MS) return
    clearInterval(timer)
    socket.close()
    onSilent()
  }, LOOK_EVERY_MS)
  socket.addEventListener('message', () => (heardAtMs = now()))
  socket.addEventListener('close', () => clearInterval(timer))
}
