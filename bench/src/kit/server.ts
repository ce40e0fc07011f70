import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Fresh } from './database'

/** From the sources and from the bundle alike. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))
const READY_WAIT_MS = 120_000
const STOP_WAIT_MS = 15_000

export type Server = { port: number; pid: number; stop: () => Promise<void> }

/**
 * The built server as it runs in production, answering calls from a database that is there.
 * @param more of its environment, e.g. another role than answering calls
 */
export async function startApi({ url, dataDir }: Fresh, more: Record<string, string> = {}): Promise<Server> {
  const entry = join(repository, 'server/dist/main.js')
  if (!existsSync(entry)) throw new Error('The server is not built: run npm run build.')
  const port = await freePort()
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, ROLE: 'api', DEMO: '0', PORT: String(port), ...more }
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answering(`http://127.0.0.1:${port}/readyz`, child)
  return { port, pid: child.pid ?? 0, stop: () => end(child) }
}

/** Asks until the address answers well. @returns milliseconds waited */
export async function answering(
  url: string,
  child: ChildProcess,
  everyMs = 50,
  waitMs = READY_WAIT_MS,
): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < waitMs) {
    if (child.exitCode !== null) throw new Error(`the server ended (${child.exitCode}) before it answered`)
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return performance.now() - startedMs
    await delay(everyMs)
  }
  throw new Error(`${url} did not answer`)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
  await ended
  clearTimeout(killer)
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
