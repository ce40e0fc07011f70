import type { Command } from '@aisle/contract/device/commands'
import { record } from './delivery'
import { saySnapshot } from './reports'
import { ack, outdated, ship } from './ship'
import { type Machine, wallMs } from './world'

/** Commands other than `ship` that were executed; a `ship` is remembered with its order. */
type Executed = { atMs: number; state: 'received' | 'done' }

/** Longer than the longest life of a command, so that no late copy is taken for a new one. */
const KEPT_MS = 8 * 24 * 3_600_000
const RESTART_NOTE = 'restart'
export const STOPPED_NOTE = 'stopped'
const PREFIX = 'cmd:'
const key = (cmdId: string) => `${PREFIX}${cmdId}`

/** Delivered at least once, executed once: by its id, which is on disk before anything is done. */
export function obey(machine: Machine, command: Command, restart: () => void): Promise<void> {
  if (command.type === 'ship') return ship(machine, command)
  const executed = machine.world.outbox.memory(machine.code).get(key(command.cmdId)) as Executed | undefined
  if (executed) return record(machine, [ack(machine, command.cmdId, executed.state)])
  if (Date.parse(command.expiresAt) < wallMs(machine)) {
    return record(machine, [ack(machine, command.cmdId, 'refused', 'expired')])
  }
  if (command.type === 'stop_sale') return setSaleStopped(machine, command, true)
  if (command.type === 'resume_sale') return setSaleStopped(machine, command, false)
  if (command.type === 'upload_snapshot') return uploadSnapshot(machine, command)
  if (command.type === 'restart_app') return noteRestart(machine, command, restart)
  return record(machine, [ack(machine, command.cmdId, 'refused', 'unknownCommand')])
}

/** A customer who is being served is served; the next one reads that the machine is closed. */
function setSaleStopped(machine: Machine, command: Command, isStopped: boolean): Promise<void> {
  machine.isSaleStopped = isStopped
  return finish(machine, command, { [STOPPED_NOTE]: isStopped })
}

function uploadSnapshot(machine: Machine, command: Command): Promise<void> {
  saySnapshot(machine)
  return finish(machine, command, {})
}

function finish(machine: Machine, { cmdId }: Command, remember: Record<string, unknown>): Promise<void> {
  const executed: Executed = { atMs: wallMs(machine), state: 'done' }
  const acks = [ack(machine, cmdId, 'received'), ack(machine, cmdId, 'done')]
  return record(machine, acks, { ...outdated(machine, PREFIX, KEPT_MS), [key(cmdId)]: executed, ...remember })
}

/** The run that ends leaves a note; the next one finds it and reports that the restart is done. */
async function noteRestart(machine: Machine, { cmdId }: Command, restart: () => void): Promise<void> {
  const executed: Executed = { atMs: wallMs(machine), state: 'received' }
  await record(machine, [ack(machine, cmdId, 'received')], { [key(cmdId)]: executed, [RESTART_NOTE]: cmdId })
  restart()
}

export async function closeRestart(machine: Machine): Promise<void> {
  const cmdId = machine.world.outbox.memory(machine.code).get(RESTART_NOTE)
  if (typeof cmdId !== 'string') return
  const executed: Executed = { atMs: wallMs(machine), state: 'done' }
  await record(machine, [ack(machine, cmdId, 'done')], { [key(cmdId)]: executed, [RESTART_NOTE]: null })
}
