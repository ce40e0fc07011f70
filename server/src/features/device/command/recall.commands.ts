import { randomUUID } from 'node:crypto'
import { commandState } from '@aisle/contract/device/commands'
import { announce } from '../../../kernel/announce'
import type { Services, Tx } from '../../../kernel/context'
import { markTold, type RecallAnswer, recallOfMachines, takeRecallAnswers } from '../../medicine/public'
import { type Ended, queueCommands } from './command.store'

/** So many commands a statement. */
const AT_ONCE = 5_000

/** A command for each machine that holds the batch. Run again it finds those that nobody has told yet. */
export async function tellRecall({ db, clock }: Services, recallId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const recall = await recallOfMachines(tx, recallId, true)
    if (!recall || recall.machines.length === 0) return
    const { id, number: batch, productCode: product, isDrill, startedBy: createdBy, machines } = recall
    const commands = machines.map(({ id: machineId, merchantId, slots }) => ({
      id: randomUUID(),
      merchantId,
      machineId,
      type: 'recall_batch' as const,
      data: { batch, product, slots, recall: id, ...(isDrill ? { drill: true } : {}) },
      reason: isDrill ? 'recall_drill' : 'recall',
      createdBy,
    }))
    for (let at = 0; at < commands.length; at += AT_ONCE) {
      await queueCommands(tx, commands.slice(at, at + AT_ONCE), clock.now())
    }
    await markTold(tx, recallId, clock.now())
    await announce(tx, { topic: 'commands', machineIds: machines.map((machine) => machine.id) })
  })
}

/** What a machine did of it, however late it says so. */
export async function takeRecalled(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const answers = ended.flatMap(({ type, state, data, machineId, at }): RecallAnswer[] =>
    type === 'recall_batch' && commandState.is(state, 'done') && typeof data.recall === 'number'
      ? [{ machineId, recallId: data.recall, at }]
      : [],
  )
  await takeRecallAnswers(tx, answers)
}
