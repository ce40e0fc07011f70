import { randomUUID } from 'node:crypto'
import { rolloutState, type RolloutState } from '@aisle/contract/device/software'
import { takingState } from './taking.state'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { cancelCommands, queueCommands } from './command.store'
import { settleEnded } from './ended'
import { stateful, statesFrom, stateTo } from '../../../kernel/states'

const rollouts = stateful('rollout', 'state', rolloutState, { versioned: true })

export type RolloutRow = {
  id: number
  merchantId: number
  state: RolloutState
  wave: number
  waves: number[]
  limitPercent: number
  forgivenWave: number | null
  forgiven: number
  version: string
  url: string
  sha256: string
  reason: string
  createdBy: number | null
}

/** Locked, in the order of their ids. @param which on `rollout r` */
export async function lockRollouts(tx: Tx, which: RawBuilder<unknown>): Promise<RolloutRow[]> {
  const found = await sql<RolloutRow>`
    select r.id, r.merchant_id as "merchantId", r.state, r.wave, r.waves, r.failure_limit_percent as "limitPercent",
      r.forgiven_wave as "forgivenWave", r.forgiven, p.version, p.url, p.sha256, r.reason,
      r.created_by as "createdBy"
    from rollout r join app_package p on p.id = r.package_id where ${which} order by r.id for update of r`.execute(tx)
  return found.rows
}

type Asked = { machineId: number; merchantId: number }

/** Asks the machines of the present wave that have not been asked, and again those that were away. @returns them */
export async function askWave(tx: Tx, rollout: RolloutRow, now: Date): Promise<number[]> {
  const due = await sql<Asked>`select r.machine_id as "machineId", m.merchant_id as "merchantId"
    from rollout_machine r join machine m on m.id = r.machine_id
    where r.rollout_id = ${rollout.id} and r.wave = ${rollout.wave} and (r.state is null
      or r.state in ${statesFrom(takingState, 'ask')}) and m.retired_at is null`.execute(tx)
  const { version, url, sha256, reason, createdBy } = rollout
  const commands = due.rows.map((machine) => ({
    ...machine,
    id: randomUUID(),
    type: 'update_app' as const,
    data: { version, url, sha256 },
    reason,
    createdBy,
  }))
  await queueCommands(tx, commands, now)
  await sql`update rollout_machine r set state = ${stateTo(takingState, 'ask')}, command_id = c.id, detail = null
    from ${rows('c', commands, { id: 'uuid', machineId: 'bigint' })}
    where r.rollout_id = ${rollout.id} and r.machine_id = c.machine_id`.execute(tx)
  return due.rows.map(({ machineId }) => machineId)
}

/** Takes back what no machine has taken yet; those machines are asked again when it goes on. */
export async function takeBack(tx: Tx, rolloutId: number, now: Date): Promise<void> {
  const ended = await cancelCommands(
    tx,
    sql`c.id in (select command_id from rollout_machine where rollout_id = ${rolloutId} and state = 'open')`,
    now,
  )
  await settleEnded(tx, ended, now)
}

export async function moveRollout(
  tx: Tx,
  rollout: RolloutRow,
  verb: keyof typeof rolloutState.moves,
  now: Date,
): Promise<boolean> {
  if (!rolloutState.can(rollout.state, verb)) return false
  const endedAt = rolloutState.is(rolloutState.to(verb), 'over') ? now : null
  rollout.state = await rollouts.move(tx, { id: rollout.id, state: rollout.state }, verb, { endedAt })
  return true
}
