import { resolve } from 'node:path'
import { runningIn } from '../server/src/db/embedded.running'
import { openPool } from '../server/src/db/pool'
import { faultsOf } from '../server/src/features/system/public'

/**
 * `npm run verify`: what the books say against what the facts say, and whether closed days and temperatures are still
 * as they were sealed; on the database of DATA_DIR or DATABASE_URL.
 */
const url = process.env.DATABASE_URL ?? runningIn(resolve(process.env.DATA_DIR ?? 'data')).url
const pool = openPool(url, 2, () => undefined)
const found = await faultsOf(pool.db)
await pool.close()
for (const line of found) process.stdout.write(`${line}\n`)
process.stdout.write(found.length === 0 ? 'the books are true\n' : `${found.length} contradictions\n`)
process.exitCode = found.length === 0 ? 0 : 1
