import { rolloutState } from '@aisle/contract/device/software'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { Services, Tx } from '../../../kernel/context'
import { stepOf, type WaveCounts } from './rollout.rules'
import { askWave, lockRollouts, moveRollout, type RolloutRow, takeBack } from './rollout.store'

/** Each wave after the one before, and not a machine further when too many fail. Run by a job, every minute. */
export async function moveWaves({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const running = await lockRollouts(tx, sql`r.state = ${rolloutState.initial}`)
    for (const rollout of running) await moveOne(tx, rollout, now)
    // Everybody who looks on: which machines are in it does not matter to them.
    if (running.length > 0) await announce(tx, { topic: 'answers', machineIds: [] })
  })
}

async function moveOne(tx: Tx, rollout: RolloutRow, now: Date): Promise<void> {
  const step = stepOf({
    isLast: rollout.wave === rollout.waves.length,
    limitPercent: rollout.limitPercent,
    counts: await countWave(tx, rollout),
    forgiven: rollout.forgivenWave === rollout.wave ? rollout.forgiven : null,
  })
  if (step === 'wait') return
  if (step === 'stop') {
    await takeBack(tx, rollout.id, now)
    await moveRollout(tx, rollout, 'stop', now)
  }
  if (step === 'finish') await moveRollout(tx, rollout, 'finish', now)
  if (step === 'advance') {
    rollout.wave += 1
    await sql`update rollout set wave = ${rollout.wave}, version = version + 1 where id = ${rollout.id}`.execute(tx)
    const machineIds = await askWave(tx, rollout, now)
    if (machineIds.length > 0) await announce(tx, { topic: 'commands', machineIds })
  }
}

export async function countWave(tx: Tx, { id, wave }: Pick<RolloutRow, 'id' | 'wave'>): Promise<WaveCounts> {
  const found = await sql<WaveCounts>`
    select count(*) as machines, count(*) filter (where state = 'open') as open,
      count(*) filter (where state = 'done') as done, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'missed') as missed
    from rollout_machine where rollout_id = ${id} and wave = ${wave}`.execute(tx)
  const [counts] = found.rows
  if (!counts) throw new Error('a count without a row')
  return counts
}
