import { Client } from 'pg'
import { startEmbedded } from './embedded'
import { waitUntil } from './wait'

export type DatabaseLog = {
  info: (text: string) => void
  warn: (text: string) => void
  error: (text: string) => void
}

export type Database = { url: string; embedded: boolean; stop: () => Promise<void> }

/** The oldest PostgreSQL whose SQL the migrations and stores keep to. */
const OLDEST_MAJOR = 15
const EXTERNAL_WAIT_MS = 30_000

/** The project's own PostgreSQL in `dataDir`, or the one that `databaseUrl` names. */
export async function openDatabase(options: {
  dataDir: string
  databaseUrl?: string | undefined
  log: DatabaseLog
}): Promise<Database> {
  const { databaseUrl, log } = options
  if (!databaseUrl) return { ...(await startEmbedded(options)), embedded: true }
  await reachExternal(databaseUrl, log)
  return { url: databaseUrl, embedded: false, stop: async () => undefined }
}

/** A database that restarts beside us is waited for; one that answers with a refusal is a mistake in the address. */
async function reachExternal(url: string, log: DatabaseLog): Promise<void> {
  let isFirst = true
  const major = await waitUntil(EXTERNAL_WAIT_MS, 500, async () => {
    try {
      return await majorVersion(url)
    } catch (cause) {
      if (!isNotThereYet(cause)) throw new Error('DATABASE_URL: the database refuses the connection', { cause })
      if (isFirst) log.warn('The database of DATABASE_URL does not answer yet; waiting up to 30 s for it.')
      isFirst = false
      return undefined
    }
  })
  if (major === undefined) throw new Error('DATABASE_URL: no database answers there. Is it running, is the port open?')
  if (major < OLDEST_MAJOR) {
    throw new Error(`DATABASE_URL: PostgreSQL ${major} is too old; ${OLDEST_MAJOR} or newer is needed`)
  }
}

async function majorVersion(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
    return Math.floor(Number(rows[0]?.version) / 10_000)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Nothing listens, the name does not resolve yet, or PostgreSQL says that it is starting or stopping (57P0x). */
export function isNotThereYet(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P0[123])$/.test(code)) return true
  return cause instanceof Error && /timeout|terminated unexpectedly/i.test(cause.message)
}
