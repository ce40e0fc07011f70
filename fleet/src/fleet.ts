import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './machine/clock'
import type { FleetConfig, FleetFile } from './config'
import { passTime } from './demand'
import { openLink } from './link/link'
import { createMachine, powerOff, powerOn } from './machine/machine'
import { hurryMotor } from './machine/motor'
import { openOutbox } from './link/outbox'
import { payByWallet } from './provider/wallet'
import { chance, hash32, seeded, spread } from './random'
import { scheduleRefills } from './machine/refill'
import { play, playLasting, readScenario } from './scenario'
import { type Counted, type Machine, productionSettings, type World } from './world'
import { createWheel } from './machine/wheel'

export type Fleet = {
  machines: readonly Machine[]
  /** What happened since the last call, and how things stand. */
  report(): Record<string, number>
  stop(): Promise<void>
}

const TICK_MS = 100
const DEMAND_MS = 1_000
const CONNECTS_PER_SECOND = 100
/** A day of the whole fleet's orders would be more than all the rest in this process; a ship command lives a minute. */
const KEEP_ORDERS_MS = 15 * 60_000
const OFFLINE_MS = [60_000, 480_000] as const
/** Wrong enough for the server to notice: it tolerates five minutes. */
const SKEW_FROM_MS = 6 * 60_000
const SKEW_WITHIN_MS = 14 * 60_000

/** Switches all machines of the file on, spread over a few seconds, and lets customers come. */
export async function startFleet(config: FleetConfig, file: FleetFile, clock: Clock): Promise<Fleet> {
  const counts = new Map<string, number>()
  const world: World = {
    clock,
    wheel: createWheel(clock.steadyMs, TICK_MS),
    outbox: await openOutbox({ folder: join(config.dataDir, 'demo', 'fleet'), steadyMs: clock.steadyMs }),
    settings: {
      ...productionSettings,
      url: file.url,
      serverUrl: config.serverUrl,
      keepOrdersMs: KEEP_ORDERS_MS,
      replayWithinMs: config.replayWithinMs,
      jamShare: config.jamShare,
      duplicateShare: config.duplicateShare,
      reorderShare: config.reorderShare,
      updateFailShare: config.updateFailShare,
      lateShare: config.lateShare,
      silentShare: config.silentShare,
    },
    openLink,
    pay: payByWallet,
    count: (what: Counted, howMany = 1) => {
      counts.set(what, (counts.get(what) ?? 0) + howMany)
    },
  }
  const machines = file.machines.map((plan) =>
    createMachine(world, plan, { seed: config.seed, skewMs: skewOf(plan.code, config) }),
  )
  const rampMs = Math.max(2_000, (machines.length / CONNECTS_PER_SECOND) * 1000)
  for (const machine of machines) void powerOn(machine, spread(`ramp ${machine.code}`, rampMs))
  if (config.hasRefills) for (const machine of machines) scheduleRefills(machine)
  const { hotShare: heat, openDoorShare: door, noChangeShare: noChange } = config
  playLasting(world, machines, { heat, door, noChange }, { seed: config.seed, afterMs: rampMs })
  if (config.scenario) play(world, machines, readScenario(readFileSync(config.scenario, 'utf8')))
  const demand = {
    machines,
    random: seeded(config.seed),
    rate: config.rate,
    offlineShare: config.offlineShare,
    offlineMs: OFFLINE_MS,
  }
  const customers = world.wheel.every(DEMAND_MS, () => passTime(demand, DEMAND_MS, clock.wallMs()))
  const driver = setInterval(world.wheel.advance, TICK_MS)

  return {
    machines,
    report: () => {
      const report = {
        online: machines.filter((machine) => machine.isUp).length,
        waiting: world.outbox.count(),
        ...Object.fromEntries(counts),
      }
      counts.clear()
      return report
    },
    stop: async () => {
      world.wheel.cancel(customers)
      await Promise.all(machines.map(hurryMotor))
      await Promise.all(machines.map((machine) => powerOff(machine, 'switched off')))
      clearInterval(driver)
      await world.outbox.close()
    },
  }
}

function skewOf(code: string, { seed, skewedShare }: FleetConfig): number {
  const random = seeded(hash32(`clock ${code}`) ^ seed)
  if (!chance(random, skewedShare)) return 0
  return (SKEW_FROM_MS + Math.floor(random() * SKEW_WITHIN_MS)) * (random() < 0.5 ? -1 : 1)
}
