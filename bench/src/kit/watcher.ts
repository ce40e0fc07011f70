import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'

/** A wallboard as its page is: it registers, hears pushes, and when its connection ends it does both again. */
export type Watcher = {
  /** The longest time between two pushes since this was asked last, while sales went on. */
  longestMs: () => number
  close: () => void
}

const AGAIN_MS = 200

export function openWatcher(port: number): Watcher {
  const userId = randomUUID()
  const address = `127.0.0.1:${port}`
  let [heardMs, longestMs, isOver] = [performance.now(), 0, false]
  let socket: WebSocket | undefined
  const hear = () => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - heardMs)
    heardMs = nowMs
  }
  const run = async () => {
    while (!isOver) {
      await register().catch(() => undefined)
      await until()
      await delay(AGAIN_MS)
    }
  }
  const register = async () => {
    const body = JSON.stringify({ userId, type: 0 })
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const signal = AbortSignal.timeout(2_000)
    await fetch(`http://${address}/service-order/register/doRegisterClient`, { method: 'POST', body, headers, signal })
  }
  const until = () =>
    new Promise<void>((done) => {
      socket = new WebSocket(`ws://${address}/ws/message/${userId}`)
      // What is said every few seconds and the greeting are short; a push has figures in it.
      socket.on('message', (text: Buffer) => (text.length > 100 ? hear() : undefined))
      socket.on('error', () => undefined)
      socket.on('close', () => done())
    })
  void run()
  return {
    longestMs: () => {
      const longest = Math.max(longestMs, performance.now() - heardMs)
      longestMs = 0
      return longest
    },
    close: () => {
      isOver = true
      socket?.terminate()
    },
  }
}
