import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError, restore } from '../features/system/public'
import { readConfig } from './config'
import { sayWhy } from './sayWhy'

/** `npm run restore`: what a backup holds, into an empty folder (and with DATABASE_URL, into an empty database). */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [file, folder] = positionals
  if (!file || positionals.length > 2) throw new BackupError('npm run restore -- FILE [DATA_DIR]')
  const config = readConfig(process.env)
  const dataDir = folder ? resolve(folder) : config.dataDir
  const say = (line: string) => console.log(line)
  const log = { info: say, warn: say, error: say }
  const { about, hasKeys } = await restore(resolve(file), { dataDir, databaseUrl: config.databaseUrl, log, say })
  say(`Restored: as of ${about.madeAt}, by version ${about.product}.`)
  if (!hasKeys && !config.keys) say(`Put the keys.json of that server into ${dataDir} before you start.`)
}

process.umask(0o077)
await main().catch(sayWhy)
