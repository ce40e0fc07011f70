import {
  approveDifference,
  decideDifference,
  refuseDifference,
  takeDifference,
} from '@aisle/contract/settlement/difference'
import { askCloseRun, closeRun, refuseCloseRun } from '@aisle/contract/settlement/run'
import { decisions, decisionsOf, type DifferenceKind } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import { decisionJobs } from '../features/settlement/decision.jobs'
import type { Desk } from './moneySimulation.people'
import type { World } from './world'

/** Somebody sits down with the list of what differs; what was decided then happens. */
export async function decideDifferences(desk: Desk): Promise<void> {
  const { world, random, of } = desk
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const found = await sql<Differing>`select id, kind from settlement_difference
      where state in ('next_day', 'open', 'asking', 'proposed') order by id desc limit 12`.execute(world.services.db)
    if (found.rows.length > 0) await decideOne(desk, of(found.rows))
  }
  await carryOut(world, random(4) === 0 ? 2 : 1)
}

type Differing = { id: number; kind: DifferenceKind }

/** In each way that its kind offers, and now and then one that it does not. */
async function decideOne({ call, random, of }: Desk, { id, kind }: Differing): Promise<void> {
  const reason = 'the books say so'
  const decision = of(random(8) === 0 ? decisions : decisionsOf[kind])
  const decide = (by: 0 | 1) => call(by, decideDifference, { id, decision, reason })
  const agreed = () => decide(0).then(() => call(1, approveDifference, { id }))
  const verbs: (() => Promise<unknown>)[] = [
    () => decide(0),
    agreed,
    agreed,
    () => call(1, takeDifference, { id }).then(() => decide(1)),
    () => decide(0).then(() => call(1, refuseDifference, { id, reason })),
    () => Promise.all([decide(0), decide(1)]),
    () => Promise.all([call(1, approveDifference, { id }), call(1, refuseDifference, { id, reason })]),
  ]
  await of(verbs)()
}

/** What was decided lately happens, perhaps twice: a job is begun again when its process dies. */
async function carryOut(world: World, times: number): Promise<void> {
  const found = await sql<{ id: number; decision: string }>`select id, decision from settlement_difference
    where decision in ('refund', 'take_order') and state = 'decided' order by decided_at desc, id limit 3`.execute(
    world.services.db,
  )
  for (let done = 0; done < times; done += 1) {
    for (const { id, decision } of found.rows) {
      const job = decisionJobs.find(({ name }) => name === `settlement.${decision}`)
      // Silence of the channel is an error, so that the job is tried again.
      await job?.run(world.services, { id }).catch((error: Error) => {
        if (!error.message.endsWith('is unknown')) throw error
      })
    }
  }
}

/** One asks for a day to be closed, and another closes it or not. */
export async function closeDay({ world, call, random, of }: Desk): Promise<void> {
  const found = await sql<{ id: number }>`select id from settlement_run where state in ('matched', 'closing')
    order by day, id limit 4`.execute(world.services.db)
  if (found.rows.length === 0) return
  const { id } = of(found.rows)
  await call(0, askCloseRun, { id })
  await (random(4) === 0
    ? call(1, refuseCloseRun, { id, reason: 'not yet' })
    : Promise.all([call(1, closeRun, { id }), call(1, closeRun, { id })]))
}
