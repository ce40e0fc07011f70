import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runningIn } from '../db/embedded.running'
import { abandonTrial, BackupError, inMegabytes, makeBackup } from '../features/system/public'
import { systemClock } from '../kernel/clock'
import { type Config, productVersion, readConfig } from './config'
import { keysText } from './keys'
import { sayWhy } from './sayWhy'

const usage = 'npm run backup -- FILE [--with-keys]'

/** `npm run backup`: of the server that runs on DATA_DIR or DATABASE_URL, into one file. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'with-keys': { type: 'boolean' } } })
  const [name] = positionals
  if (!name || positionals.length > 1) throw new BackupError(usage)
  const config = readConfig(process.env)
  const own = {
    url: config.databaseDirectUrl ?? config.databaseUrl ?? urlIn(config.dataDir),
    isEmbedded: config.databaseUrl === undefined,
    dataDir: config.dataDir,
    product: productVersion(),
    clock: systemClock,
  }
  const keys = values['with-keys'] ? keysOf(config) : null
  const asked = { file: resolve(name), bySchedule: false, keys, say: (line: string) => console.log(line) }
  const made = await makeBackup(own, asked)
  if (!made) throw new BackupError('Another backup is under way; wait for its end.')
  if (made.problem) throw new BackupError(`The copy is doubtful, and kept as ${made.file}: ${made.problem}`)
  console.log(`Good: ${made.file}, ${inMegabytes(made.bytes)}; ${made.entries} ledger entries, books ${made.books}.`)
  if (keys !== null) console.log('The keys are in it: whoever has this file can read every secret. Keep it as one.')
  else
    console.log('The keys are not in it. Keep keys.json elsewhere: without it nobody can sign in to a restored copy.')
}

function urlIn(dataDir: string): string {
  if (existsSync(resolve(dataDir, 'postgres/postmaster.pid'))) return runningIn(dataDir).url
  throw new BackupError(
    `No server runs on ${dataDir}. Start it, or set DATA_DIR or DATABASE_URL; a folder at rest can simply be copied.`,
  )
}

function keysOf({ dataDir, keys }: Config): string {
  const text = keysText(dataDir, keys)
  if (text === null) throw new BackupError(`There are no keys in ${dataDir}.`)
  return text
}

process.umask(0o077)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void abandonTrial().finally(() => process.exit(130)))
}
await main().catch(sayWhy)
