import { resolve } from 'node:path'
import { runningIn } from '../server/src/db/embedded.running'
import { openPool } from '../server/src/db/pool'
import { brokenDays } from '../server/src/features/device/record/temperature.store'
import { brokenBookDays } from '../server/src/features/ledger/day.store'
import { bookFaults } from '../server/src/features/settlement/check.reads'
import { contradictions } from '../server/src/features/trade/recount'

/**
 * `npm run verify`: what the books say against what the facts say, and whether closed days and temperatures are still
 * as they were sealed; on the database of DATA_DIR or DATABASE_URL.
 */
const url = process.env.DATABASE_URL ?? runningIn(resolve(process.env.DATA_DIR ?? 'data')).url
const pool = openPool(url, 2, () => undefined)
const checks = [contradictions, bookFaults, brokenBookDays, brokenDays]
const found: string[] = []
for (const check of checks) found.push(...(await check(pool.db)))
await pool.close()
for (const line of found) process.stdout.write(`${line}\n`)
process.stdout.write(found.length === 0 ? 'the books are true\n' : `${found.length} contradictions\n`)
process.exitCode = found.length === 0 ? 0 : 1
