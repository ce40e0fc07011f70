import type { Command } from '@aisle/contract/device/commands'
import { type Chore, chores, type Outcome } from './chores'
import { record } from '../link/delivery'
import { appNote, appOf } from './memory'
import { between, chance } from '../random'
import { versionsOf } from '../reports'
import { ack, outdated, ship } from './ship'
import { type Machine, wallMs } from '../world'

/** Commands other than `ship` that were begun or executed; a `ship` is remembered with its order. */
type Executed = { atMs: number; state: 'received' | Outcome['state'] } & Omit<Outcome, 'state'>

/** Longer than the longest life of a command, so that no late copy is taken for a new one. */
const KEPT_MS = 8 * 24 * 3_600_000
const RESTART_NOTE = 'restart'
export const STOPPED_NOTE = 'stopped'
const PREFIX = 'cmd:'
const key = (cmdId: string) => `${PREFIX}${cmdId}`

/** Commands that the next run of the program answers, since this one ends with them. */
type Restart = { cmdId: string; version?: string }

/** Delivered at least once, executed once: by its id, which is on disk before anything is done. */
export async function obey(machine: Machine, command: Command, restart: () => void): Promise<void> {
  if (command.type === 'ship') return ship(machine, command)
  const executed = machine.world.outbox.memory(machine.code).get(key(command.cmdId)) as Executed | undefined
  if (executed) return record(machine, [answerOf(machine, command.cmdId, executed)])
  if (Date.parse(command.expiresAt) < wallMs(machine)) return refuse(machine, command, 'expired')
  const chore = chores[command.type]
  const isRestart = restarting.has(command.type)
  if (!chore && !isRestart) return refuse(machine, command, 'unknownCommand')
  const { silentShare, lateShare, lateMs } = machine.world.settings
  // A program that hangs: it neither answers nor does anything.
  if (chance(machine.random, silentShare)) return
  if (chance(machine.random, lateShare)) await machine.world.wheel.pause(between(machine.random, lateMs))
  if (isRestart) return restartFor(machine, command, restart)
  if (chore) await execute(machine, command, chore)
}

const restarting: ReadonlySet<string> = new Set(['restart_app', 'reboot', 'update_app', 'rollback_app'])

const refuse = (machine: Machine, { cmdId }: Command, detail: string) =>
  record(machine, [ack(machine, cmdId, 'refused', detail)])

function answerOf(machine: Machine, cmdId: string, { state, detail, result }: Executed) {
  return ack(machine, cmdId, state, detail, result)
}

async function execute(machine: Machine, { cmdId, data }: Command, chore: Chore): Promise<void> {
  await begin(machine, cmdId, {})
  const outcome = await chore(machine, data)
  if (!machine.isOn) return
  const { remember = {}, ...rest } = outcome
  const executed: Executed = { atMs: wallMs(machine), ...rest }
  await record(machine, [answerOf(machine, cmdId, executed)], { [key(cmdId)]: executed, ...remember })
}

const begin = (machine: Machine, cmdId: string, remember: Record<string, unknown>): Promise<void> => {
  const begun: Executed = { atMs: wallMs(machine), state: 'received' }
  const notes = { ...outdated(machine, PREFIX, KEPT_MS), [key(cmdId)]: begun, ...remember }
  return record(machine, [ack(machine, cmdId, 'received')], notes)
}

/** The run that ends leaves a note; the next one finds it and reports what became of it. */
async function restartFor(machine: Machine, { cmdId, type, data }: Command, restart: () => void): Promise<void> {
  const running = versionsOf(machine).app
  const version = type === 'update_app' ? String(data.version ?? '') : (appOf(machine)?.former ?? '')
  if (type === 'rollback_app' && !version) return refuse(machine, { cmdId } as Command, 'noFormerVersion')
  const changesApp = type === 'update_app' || type === 'rollback_app'
  await begin(machine, cmdId, {})
  if (type === 'update_app') {
    const { wheel, settings } = machine.world
    await wheel.pause(between(machine.random, settings.downloadMs))
    if (chance(machine.random, settings.updateFailShare)) return fail(machine, cmdId, 'checksumDiffers')
  }
  const note: Restart = changesApp ? { cmdId, version } : { cmdId }
  const former = type === 'update_app' ? running : null
  await record(machine, [], { [RESTART_NOTE]: note, ...(changesApp ? appNote({ version, former }) : {}) })
  restart()
}

function fail(machine: Machine, cmdId: string, detail: string): Promise<void> {
  const executed: Executed = { atMs: wallMs(machine), state: 'failed', detail }
  return record(machine, [answerOf(machine, cmdId, executed)], { [key(cmdId)]: executed })
}

/** After a start: what the restart was for is done; what else was begun was broken off, and nobody knows how far. */
export async function closeRestart(machine: Machine): Promise<void> {
  const memory = machine.world.outbox.memory(machine.code)
  const note = memory.get(RESTART_NOTE) as Restart | null | undefined
  const messages = []
  const remember: Record<string, unknown> = {}
  if (note) {
    const executed: Executed = {
      atMs: wallMs(machine),
      state: 'done',
      ...(note.version ? { result: { version: note.version } } : {}),
    }
    messages.push(answerOf(machine, note.cmdId, executed))
    Object.assign(remember, { [key(note.cmdId)]: executed, [RESTART_NOTE]: null })
  }
  for (const [name, value] of memory) {
    const cmdId = name.slice(PREFIX.length)
    if (!name.startsWith(PREFIX) || (value as Executed).state !== 'received' || cmdId === note?.cmdId) continue
    const executed: Executed = { atMs: wallMs(machine), state: 'failed', detail: 'interrupted' }
    messages.push(answerOf(machine, cmdId, executed))
    remember[name] = executed
  }
  if (messages.length > 0) await record(machine, messages, remember)
}
