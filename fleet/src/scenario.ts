import { sayDoor } from './machine/chores'
import { loseNetwork } from './machine/machine'
import { hash32, type Random, seeded } from './random'
import { sayHeartbeat } from './reports'
import type { Machine, Settings, World } from './world'

/** What can go wrong, each a fault that the server must stand (docs/DEVICES.md, trying it out). */
export const troubles = [
  'offline',
  'heat',
  'door',
  'noChange',
  'clock',
  'jam',
  'duplicates',
  'reorder',
  'late',
  'silent',
] as const
export type Trouble = (typeof troubles)[number]

export type ScenarioEvent = {
  /** Seconds after the start, and for how long. */
  at: number
  for: number
  what: Trouble
  /** Of the machines: a share below 1, a number of them from 1, or their codes. Left out: all. */
  machines?: number | readonly string[]
  /** How much: °C warmer, seconds of the clock, share of pieces, messages or commands. */
  by?: number
}
export type Scenario = { seed: number; events: readonly ScenarioEvent[] }

/** @throws Error that names what is wrong with the file */
export function readScenario(text: string): Scenario {
  const file: unknown = JSON.parse(text)
  const { seed = 1, events } = (file ?? {}) as { seed?: unknown; events?: unknown }
  if (typeof seed !== 'number' || !Array.isArray(events)) throw new Error('a scenario has a seed and events')
  return { seed, events: events.map(readEvent) }
}

function readEvent(value: unknown, at: number): ScenarioEvent {
  const event = (value ?? {}) as Record<string, unknown>
  const isTime = (time: unknown) => typeof time === 'number' && time >= 0
  const { machines, by } = event
  const isChoice =
    machines === undefined || typeof machines === 'number' || (Array.isArray(machines) && machines.every(isText))
  if (!troubles.some((trouble) => trouble === event.what)) {
    throw new Error(`event ${at}: "what" is one of ${troubles.join(', ')}`)
  }
  if (!isTime(event.at) || !isTime(event.for)) throw new Error(`event ${at}: "at" and "for" are seconds`)
  if (!isChoice) throw new Error(`event ${at}: "machines" is a share, a number or a list of codes`)
  if (by !== undefined && typeof by !== 'number') throw new Error(`event ${at}: "by" is a number`)
  return event as ScenarioEvent
}

const isText = (value: unknown) => typeof value === 'string'

/** Lets everything of the scenario happen in its time, to machines drawn by its seed: the same at each run. */
export function play(world: World, machines: readonly Machine[], { seed, events }: Scenario): void {
  events.forEach((event, i) => {
    const random = seeded(seed ^ hash32(`event ${i}`))
    const struck = choose(machines, event.machines, random)
    world.wheel.after(event.at * 1000, () => {
      const over = strike(world, struck, event)
      if (over) world.wheel.after(event.for * 1000, over)
    })
  })
}

/** Lasting troubles of single machines, which shares of the fleet have for as long as it runs. */
export type Lasting = Partial<Record<'heat' | 'door' | 'noChange', number>>

/** @param afterMs until all machines are on */
export function playLasting(world: World, machines: readonly Machine[], shares: Lasting, from: From): void {
  for (const what of ['heat', 'door', 'noChange'] as const) {
    const share = shares[what] ?? 0
    const struck = share === 1 ? machines : choose(machines, share, seeded(from.seed ^ hash32(`lasting ${what}`)))
    if (struck.length > 0) world.wheel.after(from.afterMs, () => void strike(world, struck, { at: 0, for: 0, what }))
  }
}
type From = { seed: number; afterMs: number }

function choose(machines: readonly Machine[], wanted: ScenarioEvent['machines'], random: Random): readonly Machine[] {
  if (wanted === undefined) return machines
  if (typeof wanted !== 'number') return machines.filter(({ code }) => wanted.includes(code))
  const count = wanted < 1 ? Math.round(wanted * machines.length) : wanted
  const drawn = machines.map((machine) => ({ machine, lot: random() })).sort((a, b) => a.lot - b.lot)
  return drawn.slice(0, count).map(({ machine }) => machine)
}

const shares = {
  jam: 'jamShare',
  duplicates: 'duplicateShare',
  reorder: 'reorderShare',
  late: 'lateShare',
  silent: 'silentShare',
} as const satisfies Partial<Record<Trouble, keyof Settings>>

/** @returns how it ends; nothing where it ends by itself */
function strike(world: World, machines: readonly Machine[], event: ScenarioEvent): (() => void) | undefined {
  const { what, by } = event
  if (what === 'offline') {
    for (const machine of machines) loseNetwork(machine, event.for * 1000)
    return undefined
  }
  if (what === 'heat') return change(machines, 'warmerBy', by ?? 10)
  if (what === 'noChange') return change(machines, 'hasLowChange', true)
  if (what === 'clock') return change(machines, 'skewMs', (by ?? 900) * 1000)
  if (what === 'door') {
    for (const machine of machines) void sayDoor(machine, 'opened', { by: 'unknown' })
    return () => {
      for (const machine of machines) void sayDoor(machine, 'closed', { by: 'unknown', openSeconds: event.for })
    }
  }
  // These are drawn for each piece, message or command, whichever machine it is of.
  const name = shares[what]
  const before = world.settings[name]
  world.settings[name] = by ?? 0.2
  return () => {
    world.settings[name] = before
  }
}

/** What a machine says of itself changes with the next heartbeat, which is said at once. */
function change<K extends 'warmerBy' | 'hasLowChange' | 'skewMs'>(
  machines: readonly Machine[],
  name: K,
  to: Machine[K],
): () => void {
  const before = machines.map((machine) => ({ machine, value: machine[name] }))
  for (const { machine } of before) {
    machine[name] = to
    sayHeartbeat(machine)
  }
  return () => {
    for (const { machine, value } of before) {
      machine[name] = value
      sayHeartbeat(machine)
    }
  }
}
