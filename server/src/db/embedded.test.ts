import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from './embedded'
import { canReach, makeLibraryLinks } from './embedded.place'
import { isNotThereYet } from './open'
import { throwAwayFolder } from './testing.places'
import { waitUntil } from './wait'

const folders: string[] = []
const said: string[] = []
const say = (text: string) => void said.push(text)
const log = { info: say, warn: say, error: say }

function freshFolder(): string {
  const folder = throwAwayFolder('test')
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  said.length = 0
})

const start = (dataDir: string) => startEmbedded({ dataDir, log, isDurable: false })
const postmaster = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

async function ask<T>(url: string, statement: string): Promise<T | undefined> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<{ answer: T }>(statement)).rows[0]?.answer
  } finally {
    await client.end()
  }
}

const answerWhenBack = (url: string) =>
  waitUntil(20_000, 50, () =>
    ask<number>(url, 'select 1 as answer').catch((cause: unknown) => {
      if (isNotThereYet(cause)) return undefined
      throw cause
    }),
  )

test('what was written is there after a stop and a start, and the password is nobody else’s to read', async () => {
  const dataDir = freshFolder()
  const first = await start(dataDir)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  const second = await start(dataDir)
  expect(await ask(second.url, 'select answer from kept')).toBe(42)
  expect(lstatSync(join(dataDir, 'postgres.password')).mode & 0o077).toBe(0)
  // Root lends PostgreSQL another user, whose group may pass.
  expect(lstatSync(dataDir).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700)
  expect(process.getuid?.() === 0 ? lstatSync(join(dataDir, 'postgres')).uid : -1).not.toBe(0)
  await second.stop()
})

test('a second server on the same data is refused, and the first goes on', async () => {
  const dataDir = freshFolder()
  const first = await start(dataDir)
  await expect(start(dataDir)).rejects.toThrow(/Another server runs/)
  expect(await ask(first.url, 'select 1 as answer')).toBe(1)
  await first.stop()
})

test('a database that is killed comes back by itself, on the same port', async () => {
  const dataDir = freshFolder()
  const { url, stop } = await start(dataDir)
  process.kill(postmaster(dataDir), 'SIGKILL')
  expect(await answerWhenBack(url)).toBe(1)
  await stop()
})

test('it waits for a process of the killed one that is still at work, and takes the same port then', async () => {
  const dataDir = freshFolder()
  const running = await start(dataDir)
  // At work it does not see that its postmaster has gone, and holds the shared memory.
  const busy = ask(running.url, `select count(*) as answer from generate_series(1, 10_000_000)`).catch(() => undefined)
  await expect
    .poll(() => ask(running.url, `select count(*)::int as answer from pg_stat_activity where query like '%series%'`))
    .toBe(2)
  process.kill(postmaster(dataDir), 'SIGKILL')
  expect(await answerWhenBack(running.url)).toBe(1)
  expect(said).toContain('Waiting for the processes of a killed database to leave.')
  await busy
  await running.stop()
})

test('the database of a server that was killed is taken over', async () => {
  const dataDir = freshFolder()
  const module = JSON.stringify(new URL('./embedded.ts', import.meta.url).href)
  const options = `{ dataDir: ${JSON.stringify(dataDir)}, log: console, isDurable: false }`
  const starting = `const { startEmbedded } = await import(${module}); await startEmbedded(${options})`
  const script = `${starting}; console.log('it runs')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A line of its own: what the server says of its folder may hold any letters.
  for await (const line of createInterface(child.stdout)) if (line === 'it runs') break
  const left = postmaster(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { url, stop } = await start(dataDir)
  expect(postmaster(dataDir)).toBe(left)
  expect(said).toContain('Took over the database of a server that was killed.')
  expect(await ask(url, 'select 1 as answer')).toBe(1)
  await stop()
})

test('library links that npm did not make are made', () => {
  const folder = freshFolder()
  const native = join(folder, 'native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib/libpq.so.5.18'), 'library')
  const list = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(list))
  makeLibraryLinks(native)
  makeLibraryLinks(native)
  expect(readFileSync(join(native, 'lib/libpq.so.5'), 'utf8')).toBe('library')
})

test('a folder below one that others may not pass cannot be reached', () => {
  const folder = freshFolder()
  const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 }
  mkdirSync(join(folder, 'open/inside'), { recursive: true, mode: 0o755 })
  expect(canReach(join(folder, 'open/inside'), stranger)).toBe(true)
  mkdirSync(join(folder, 'closed'), { mode: 0o700 })
  mkdirSync(join(folder, 'closed/inside'), { mode: 0o755 })
  expect(canReach(join(folder, 'closed/inside'), stranger)).toBe(false)
})
