import type { MessageData } from '@aisle/contract/device/messages'
import { compose, record, say } from './link/delivery'
import { appOf, settingsOf } from './machine/memory'
import { hash32 } from './random'
import { type Machine, type Slot, steadyMs, wallMs } from './world'

const appVersions = ['3.8.2', '3.8.2', '3.8.1', '3.7.6']
const boardVersions = ['1.14', '1.14', '1.12']

/** Typical inside temperature and how far it swings, by category. */
const climates: Record<string, readonly [celsius: number, swing: number]> = {
  drink: [7, 2],
  combo: [8, 2],
  medicine: [19, 2],
}
const AMBIENT = [23, 3] as const
/** One in so many has a weak compressor. */
const WARM_ONE_IN = 80
const WARMER = 7

export function sayPresence(machine: Machine, online: boolean, reason: string): void {
  const signal = -60 - (hash32(machine.code) % 35)
  say(machine, 'presence', online ? { online, reason, network: '4G', signal } : { online, reason })
}

export const sayHeartbeat = (machine: Machine): void => {
  say(machine, 'heartbeat', heartbeat(machine))
}

/** A record of the law where there is medicine: on disk first, told until it is acknowledged. */
export function recordTemperature(machine: Machine): Promise<void> {
  const celsius = temperatureOf(machine)
  const humidity = 50 + (hash32(machine.code) % 12)
  const measured = { probe: 0, celsius, humidity, mode: 'cooling', compressor: celsius > 19 }
  return record(machine, [compose(machine, 'temperature', measured)])
}

export const saySnapshot = (machine: Machine): void => {
  const said = { slots: machine.slots.map(slotLine), versions: versionsOf(machine), settings: settingsOf(machine) }
  say(machine, 'snapshot', said)
}

/** What nobody waits for: how the program is doing. */
export function sayChatter(machine: Machine): void {
  const running = Math.round((steadyMs(machine) - machine.boot.startedMs) / 1000)
  const faulty = machine.slots.filter(({ fault }) => fault !== null)
  const waiting = machine.world.outbox.pending(machine.code).size
  say(machine, 'log', {
    level: faulty.length > 0 ? 'warn' : 'info',
    lines: [
      ...faulty.slice(0, 20).map(({ code, fault }) => `slot ${code}: motor ${fault}`),
      `up ${running} s, orders begun ${machine.orderCount}, motor turns ${machine.turns}, unacknowledged ${waiting}`,
    ],
  })
}

/** The server learns of it now, and of the repair when somebody has been there. */
export function reportFault(machine: Machine, slot: Slot): void {
  saySnapshot(machine)
  awaitRepair(machine, slot)
}

export function awaitRepair(machine: Machine, slot: Slot): void {
  machine.world.wheel.after(machine.world.settings.repairMs, () => {
    slot.fault = null
    saySnapshot(machine)
  })
}

function heartbeat(machine: Machine): MessageData<'heartbeat'> {
  const uptimeMs = steadyMs(machine) - machine.boot.startedMs
  const { app, board } = versionsOf(machine)
  return {
    uptime: Math.round(uptimeMs / 1000),
    cpu: 5 + (hash32(machine.code) % 20),
    storage: 30 + (hash32(machine.code) % 40),
    doorOpen: machine.isDoorOpen,
    lowChange: machine.hasLowChange,
    tempNow: [temperatureOf(machine)],
    faults: machine.slots.flatMap((slot) => (slot.fault ? [`slot ${slot.code} motor ${slot.fault}`] : [])),
    fwApp: app,
    fwBoard: board,
    flowUsedMb: Math.round(uptimeMs / 60_000) / 10,
  }
}

/** As it left the factory, or as it was updated since. */
export const versionsOf = (machine: Pick<Machine, 'world' | 'code'>) => ({
  app: appOf(machine)?.version ?? oneOf(appVersions, machine.code),
  board: oneOf(boardVersions, machine.code),
})
const oneOf = (list: readonly string[], code: string): string => list[hash32(code) % list.length]!

/** Swings with the compressor, once in half an hour, each machine in its own time. */
export function temperatureOf(machine: Machine): number {
  const [usual, swing] = climates[machine.category] ?? AMBIENT
  const asked = settingsOf(machine)['thermostat.workingC']
  const celsius = typeof asked === 'number' ? asked : usual
  const phase = (wallMs(machine) / 1_800_000 + (hash32(machine.code) % 97) / 97) * 2 * Math.PI
  const warmer = hash32(`warm ${machine.code}`) % WARM_ONE_IN === 0 ? WARMER : 0
  return Math.round((celsius + warmer + machine.warmerBy + swing * Math.sin(phase)) * 10) / 10
}

const slotLine = (slot: Slot): MessageData<'snapshot'>['slots'][number] => ({
  code: slot.code,
  product: slot.product,
  priceFen: slot.priceFen,
  stock: slot.stock,
  capacity: slot.capacity,
  status: statusOf(slot),
  lock: slot.isLocked,
  ...(slot.fault ? { motor: slot.fault } : {}),
})

function statusOf(slot: Slot): string {
  if (slot.fault) return 'fault'
  if (!slot.product) return 'empty plan'
  return slot.stock > 0 ? 'normal' : 'out_of_stock'
}
