import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { TELL_SETTINGS } from '../../fleet/public'
import type { Ended } from './command.store'
import { takeTestResults } from '../inspection/machineTest.results'
import { learnChoices } from './operation.store'
import { learnTold } from '../sale/owed.store'
import { loseRemoteShips } from '../sale/remoteShip.results'
import { takeRecalled } from './recall.commands'
import { takeRolloutResults } from './rollout.results'
import { takeSelfChecks } from '../inspection/selfCheck.results'

/**
 * What follows from the end of commands, whichever way they ended: the next motor of a test, what a self-check found,
 * how a wave of software goes, by which settings a machine goes. In the transaction that ended them.
 */
export async function settleEnded(tx: Tx, ended: readonly Ended[], now: Date): Promise<void> {
  if (ended.length === 0) return
  await takeSelfChecks(tx, ended)
  await loseRemoteShips(tx, ended)
  await takeRolloutResults(tx, ended)
  await learnChoices(tx, ended)
  await takeRecalled(tx, ended)
  // Changed again while the machine took the last one over.
  if (await learnTold(tx, ended)) await addJob(tx, TELL_SETTINGS)
  const next = await takeTestResults(tx, ended, now)
  await announce(tx, { topic: 'answers', machineIds: [...new Set(ended.map(({ machineId }) => machineId))] })
  if (next.length > 0) await announce(tx, { topic: 'commands', machineIds: next })
}
