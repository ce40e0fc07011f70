import { runningIn } from '../server/src/db/embedded.running'
import { openPool } from '../server/src/db/pool'
import { verifyChain } from '../server/src/features/audit/seal.commands'
import { readConfig } from '../server/src/main/config'
import { openKeys } from '../server/src/main/keys'

/** `npm run audit:verify`: the audit log against its hash chain, on the database of DATA_DIR or DATABASE_URL. */
const { dataDir, databaseUrl, keys } = readConfig(process.env)
const url = databaseUrl ?? runningIn(dataDir).url
const pool = openPool(url, 4, () => undefined)
const startedMs = performance.now()
const { rows, problems, hasAnchor } = await verifyChain(pool.db, openKeys(dataDir, keys), dataDir)
const seconds = (performance.now() - startedMs) / 1000
await pool.close()
for (const line of problems) process.stdout.write(`${line}\n`)
if (!hasAnchor) process.stdout.write('no seal was kept on this machine: a chain cut at its end would not show\n')
const speed = Math.round(rows / seconds)
const verdict = problems.length === 0 ? 'the log is as it was written' : `${problems.length} problems`
process.stdout.write(`${verdict}: ${rows} sealed rows in ${seconds.toFixed(1)} s, ${speed} a second\n`)
process.exitCode = problems.length === 0 ? 0 : 1
