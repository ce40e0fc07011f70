import type { Reader } from '../../../kernel/context'
import { brokenDays } from '../../device/public'
import { brokenBookDays } from '../../ledger/public'
import { bookFaults } from '../../settlement/public'
import { contradictions } from '../../trade/public'

/**
 * What the books say against what the facts say, and whether closed days and temperatures are still as they were
 * sealed: each line is a contradiction. Of `npm run verify`, and of each copy before it counts as a backup.
 */
export async function faultsOf(db: Reader): Promise<string[]> {
  const found: string[] = []
  for (const check of [contradictions, bookFaults, brokenBookDays, brokenDays]) found.push(...(await check(db)))
  return found
}
