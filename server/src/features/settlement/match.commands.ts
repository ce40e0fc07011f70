import { runState } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import { countSides, link, openDifferences, settleFound } from './match.store'
import { markBalances, postStatement } from './posting.store'
import { countDifferences, type Run } from './run.store'

/**
 * Matches a day with all that is known by now, posts what its bill says, and opens or settles the cases. Doing it again
 * changes only what has come since. The run is locked by the caller.
 */
export async function match(tx: Tx, before: Run, now: Date): Promise<void> {
  const state = runState.to('match')
  const run: Run = { ...before, state, version: before.version + 1 }
  await sql`update settlement_run set state = ${state}, matched_at = ${now}, version = ${run.version}
    where id = ${run.id}`.execute(tx)
  await link(tx, run)
  await countSides(tx, run)
  await postStatement(tx, run, now)
  await markBalances(tx, run)
  await openDifferences(tx, run, now)
  await settleFound(tx, run, now)
  await countDifferences(tx, run.channelId)
  await announce(tx, {
    topic: 'changes',
    kinds: ['settlementRun', 'settlementDifference'],
    merchantIds: [run.merchantId],
    above: [],
  })
}
