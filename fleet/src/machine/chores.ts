import type { CommandType } from '@aisle/contract/device/commands'
import type { MessageData } from '@aisle/contract/device/messages'
import { compose, record } from '../link/delivery'
import { takeAdverts } from './adverts'
import { settingsNote, type Settings } from './memory'
import { moveStock, stockNote, turn, whenMotorIsFree } from './motor'
import { photograph } from './photo'
import { lockSlots, takePlan, takePrices } from './plan'
import { takeQuestions } from './questions'
import { reportFault, saySnapshot } from '../reports'
import { selfCheck } from './selfCheck'
import { type Machine, slotOf, steadyMs } from '../world'

type Data = Record<string, unknown>
type Ack = MessageData<'cmd.ack'>

/** How a command ended, with what the machine writes down in the same change. */
export type Outcome = {
  state: Exclude<Ack['state'], 'received'>
  detail?: string
  result?: Data
  remember?: Record<string, unknown>
}
export type Chore = (machine: Machine, data: Data) => Promise<Outcome> | Outcome

const done = (result?: Data, remember?: Record<string, unknown>): Outcome => ({
  state: 'done',
  ...(result ? { result } : {}),
  ...(remember ? { remember } : {}),
})
const refused = (detail: string): Outcome => ({ state: 'refused', detail })

/** What a machine does for each command that needs no restart; `ship` and those are told in ship.ts and commands.ts. */
export const chores: Partial<Record<CommandType, Chore>> = {
  test_vend: testVend,
  self_check: async (machine) => {
    await machine.world.wheel.pause(machine.world.settings.checkMs)
    return done({ parts: selfCheck(machine) })
  },
  push_prices: (machine, data) => planned(machine, takePrices(machine, data)),
  push_planogram: (machine, data) => planned(machine, takePlan(machine, data)),
  push_template: (machine, data) => {
    const outcome = planned(machine, takePlan(machine, data))
    if (outcome.state !== 'done') return outcome
    return { ...outcome, remember: { ...outcome.remember, ...settingsNote(machine, flat(data.settings)) } }
  },
  set_thermostat: (machine, data) => settled(machine, flat({ thermostat: data })),
  lock_slot: (machine, data) => planned(machine, lockSlots(machine, data, true)),
  unlock_slot: (machine, data) => planned(machine, lockSlots(machine, data, false)),
  stop_sale: (machine) => setSaleStopped(machine, true),
  resume_sale: (machine) => setSaleStopped(machine, false),
  open_door: openDoor,
  upload_snapshot: (machine) => {
    saySnapshot(machine)
    return done()
  },
  upload_log: (machine, { hours }) => done({ lines: logLines(machine, Number(hours) || 24) }),
  upload_photo: (machine) => done({ photo: photograph(machine) }),
  set_volume_or_screen: (machine, data) => settled(machine, flat(data)),
  push_ads: takeAdverts,
  push_questions: takeQuestions,
  recall_batch: (machine, data) => (data.drill === true ? done() : planned(machine, lockSlots(machine, data, true))),
  set_license_mode: (machine, { mode }) =>
    typeof mode === 'string' ? settled(machine, { licenceMode: mode }) : refused('malformed'),
  set_flags: (machine, { shipsAfterJam, shipsDirectly }) =>
    typeof shipsAfterJam === 'boolean' && typeof shipsDirectly === 'boolean'
      ? settled(machine, { shipsAfterJam, shipsDirectly })
      : refused('malformed'),
}

const TEST_LASTS_MS = 60_000
const BETWEEN_TESTS_MS = 5_000

/** One turn that is no sale. Refused while a customer is served: the motor and the hatch are theirs. */
async function testVend(machine: Machine, { slot: code, putsBack }: Data): Promise<Outcome> {
  const slot = typeof code === 'string' ? slotOf(machine, code) : undefined
  if (!slot) return refused('unknownSlot')
  if (machine.isBusy || machine.awaited) return refused('busy')
  let outcome: Outcome = refused('busy')
  machine.testingUntilMs = steadyMs(machine) + TEST_LASTS_MS
  await whenMotorIsFree(machine, async () => {
    const { traceCode, ...turned } = await turn(machine, slot, false)
    const isBack = turned.ok && putsBack === true
    if (isBack) moveStock(machine, slot, 1)
    if (isBack && traceCode) slot.traceCodes = [traceCode, ...slot.traceCodes]
    if (slot.fault) reportFault(machine, slot)
    // The next motor is asked for at once when there is one.
    machine.testingUntilMs = steadyMs(machine) + BETWEEN_TESTS_MS
    outcome = done({ slot: slot.code, ...turned }, stockNote(slot))
  })
  return outcome
}

/** The change is on disk with the acknowledgement; then the machine shows what it has become. */
function planned(machine: Machine, note: Record<string, unknown> | string): Outcome {
  if (typeof note === 'string') return refused(note)
  machine.world.wheel.after(0, () => saySnapshot(machine))
  return done(undefined, note)
}

function settled(machine: Machine, changes: Settings): Outcome {
  machine.world.wheel.after(0, () => saySnapshot(machine))
  return done(undefined, settingsNote(machine, changes))
}

/** A customer who is being served is served; the next one reads that the machine is closed. */
function setSaleStopped(machine: Machine, isStopped: boolean): Outcome {
  machine.isSaleStopped = isStopped
  return done(undefined, { stopped: isStopped })
}

/** Whoever asked walks in; the door is shut again by a hand some time later. */
async function openDoor(machine: Machine): Promise<Outcome> {
  const { wheel, settings } = machine.world
  const openMs = settings.doorMs
  await sayDoor(machine, 'opened', { by: 'remote' })
  wheel.after(openMs, () => {
    void sayDoor(machine, 'closed', { by: 'remote', openSeconds: Math.round(openMs / 1000) })
  })
  return done()
}

/** @param how by whom, and how long it stood open when it is shut */
export async function sayDoor(
  machine: Machine,
  state: 'opened' | 'closed',
  how: { by: 'remote' | 'user' | 'key' | 'unknown'; openSeconds?: number },
): Promise<void> {
  machine.isDoorOpen = state === 'opened'
  await record(machine, [compose(machine, 'door', { door: 'main', state, ...how })])
}

/** Nested settings as a snapshot can say them: `thermostat.mode`. */
function flat(value: unknown, name = ''): Settings {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { [name]: value }
  if (typeof value !== 'object' || value === null) return {}
  if (Array.isArray(value)) return { [name]: JSON.stringify(value) }
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(part, name ? `${name}.${key}` : key)))
}

const MOST_LINES = 200

/** What the program has done of late, as far as it remembers. */
function logLines({ world, code, boot, turns, orderCount }: Machine, hours: number): string[] {
  const notes = [...world.outbox.memory(code).keys()].filter((name) => /^(order|cmd):/.test(name))
  return [
    `boot ${boot.id}, said ${boot.seq} messages`,
    `orders begun ${orderCount}, motor turns ${turns}`,
    `waiting for acknowledgement ${world.outbox.pending(code).size}`,
    ...notes.slice(-MOST_LINES).map((name) => `remembers ${name}`),
    `end of ${hours} h`,
  ]
}
