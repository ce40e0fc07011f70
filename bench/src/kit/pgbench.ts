import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PostgreSQL's own load generator, when this machine has it. */
export function pgbenchVersion(): string | null {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

export const noPgbench = 'no pgbench on this machine: install the PostgreSQL client tools (postgresql-contrib)'

type Load = { clients: number; seconds: number; variables?: Record<string, string | number> }

/** @returns transactions a second */
export function pgbench(url: string, script: string, load: Load): Promise<number> {
  return withPgbench(url, script, load, [], (said) => {
    const rate = /^tps = ([\d.]+)/m.exec(said.stdout)?.[1]
    if (!rate) throw new Error(`pgbench said no rate:\n${said.stdout}${said.stderr}`)
    if (/failed transactions: [1-9]/.test(said.stdout)) throw new Error(said.stdout)
    return Number(rate)
  })
}

/** @returns milliseconds of each transaction of one client, one after the other */
export function latenciesOf(url: string, script: string, load: Omit<Load, 'clients'>): Promise<number[]> {
  return withPgbench(url, script, { ...load, clients: 1 }, ['-l', '--log-prefix', 'log'], (_, folder) => {
    const logs = readdirSync(folder).filter((name) => name.startsWith('log'))
    const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    return lines.map((line) => Number(line.split(' ')[2]) / 1000)
  })
}

async function withPgbench<T>(
  url: string,
  script: string,
  load: Load,
  more: readonly string[],
  read: (said: { stdout: string; stderr: string }, folder: string) => T,
): Promise<T> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'aisle-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const variables = Object.entries(load.variables ?? {}).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-n', '-M', 'prepared', '-c', String(load.clients), '-j', '1', '-T', String(load.seconds), ...more]
  try {
    const said = await run('pgbench', [...options, ...variables, '-f', file, pathname.slice(1)], {
      cwd: folder,
      env: { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
    })
    return read(said, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
