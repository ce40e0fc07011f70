import type { Services } from '../../kernel/context'
import { announce } from '../../kernel/announce'
import type { Job } from '../../kernel/jobs'
import { bringForward, endTasks, findHolders, findLying, insertTasks } from './care.plan'
import { planOf } from './care.rules'

/** Before anybody sits down in China. A task is open once, whoever plans, so that twice is as good as once. */
export const jobs: Job[] = [{ name: 'medicine.planCare', cron: '10 21 * * *', run: planCare }]

export async function planCare({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => endTasks(tx, now))
  for (const inMachines of [true, false]) {
    let ids = await findHolders(db, inMachines, 0)
    while (ids.length > 0) {
      const planned = (await findLying(db, inMachines, ids, now)).map(planOf)
      await db.transaction().execute(async (tx) => {
        await insertTasks(
          tx,
          planned.flatMap(({ task }) => task ?? []),
          now,
        )
        await bringForward(
          tx,
          planned.flatMap(({ change }) => change ?? []),
        )
      })
      ids = await findHolders(db, inMachines, ids.at(-1) ?? 0)
    }
  }
  await announce(db, { topic: 'changes', kinds: ['careRecord'], merchantIds: [], above: [], everyone: true })
}
