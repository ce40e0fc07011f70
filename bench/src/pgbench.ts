import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** @returns transactions a second */
export async function pgbench(
  url: string,
  script: string,
  load: { clients: number; seconds: number; variables?: Record<string, string | number> },
): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'aisle-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const variables = Object.entries(load.variables ?? {}).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-n', '-M', 'prepared', '-c', String(load.clients), '-j', '1', '-T', String(load.seconds)]
  try {
    const said = await run('pgbench', [...options, ...variables, '-f', file, pathname.slice(1)], {
      env: { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
    })
    const rate = /^tps = ([\d.]+)/m.exec(said.stdout)?.[1]
    if (!rate) throw new Error(`pgbench said no rate:\n${said.stdout}${said.stderr}`)
    if (/failed transactions: [1-9]/.test(said.stdout)) throw new Error(said.stdout)
    return Number(rate)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
