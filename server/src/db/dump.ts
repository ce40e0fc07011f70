import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from 'pg'

type Tool = 'pg_dump' | 'pg_restore'

/**
 * A database of somebody else's server into a file, by PostgreSQL's own program: its files are out of our reach.
 * @throws Error in words where that program is missing or older than the server
 */
export async function dumpTo(file: string, url: string): Promise<void> {
  await toolFor('pg_dump', await serverMajor(url))
  await runTool('pg_dump', ['--format=custom', '--compress=0', '--no-owner', '--no-privileges', `--file=${file}`], url)
}

/** All of it or nothing. @throws Error in words where the program for it is missing */
export async function restoreDump(file: string, url: string): Promise<void> {
  await toolFor('pg_restore', 0)
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  await runTool('pg_restore', [...options, file], url)
}

/** Whether nobody has made anything in a database yet. */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  const found = await asking<{ found: number }>(
    url,
    `select count(*)::int as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`,
  )
  return found.found === 0
}

async function serverMajor(url: string): Promise<number> {
  const { version } = await asking<{ version: string }>(url, `select current_setting('server_version_num') as version`)
  return Math.floor(Number(version) / 10_000)
}

async function asking<T extends object>(url: string, statement: string): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const [row] = (await client.query<T>(statement)).rows
    if (!row) throw new Error('an answer without a row')
    return row
  } finally {
    await client.end()
  }
}

async function toolFor(tool: Tool, major: number): Promise<void> {
  const wanted =
    major > 0 ? `the client programs of PostgreSQL ${major} (or newer)` : 'the client programs of PostgreSQL'
  const advice = `Install ${wanted}, for example the package postgresql-client, and put ${tool} on the PATH.`
  const found = await promisify(execFile)(tool, ['--version']).catch(() => null)
  if (!found) throw new Error(`A database behind DATABASE_URL needs ${tool}, which is not here. ${advice}`)
  const own = Number(/\) (\d+)/.exec(found.stdout)?.[1])
  if (own < major) throw new Error(`${tool} ${own} can't read PostgreSQL ${major}. ${advice}`)
}

/** None of our own secrets. */
const settingsOfPostgres = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|PG\w+)$/.test(name)))

/** The password goes through the environment: what a program was called with, everybody on the machine may read. */
function runTool(tool: Tool, options: readonly string[], url: string): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const child = spawn(tool, [...options, `--dbname=${address.href}`], {
    env: { ...settingsOfPostgres(), ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString()
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${tool} failed: ${said.trim().slice(-600)}`))))
  })
}
