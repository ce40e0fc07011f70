import { merchants } from '../data/merchants'
import { seedOf } from '../random'
import { type DemoMachine, planAbroad, planMachines } from './network'
import { planSlots } from './planogram'

const MOST_MACHINES = 8
/** So long plays were made on them, at most. */
const DAYS = 60

/**
 * The machines on which customers play for goods: some of the demo operator's region, none with medicine, all of them
 * there for longer than they were played on.
 */
export function highGoMachines(machines: readonly DemoMachine[]): ReadonlySet<string> {
  const able = machines.filter(
    ({ point, category, deployedDaysAgo }) =>
      point.region === 'east' && category !== 'medicine' && deployedDaysAgo > DAYS,
  )
  const drawn = able.map(({ code }) => ({ code, at: seedOf(`${code}/play`) })).sort((a, b) => a.at - b.at)
  return new Set(drawn.slice(0, MOST_MACHINES).map(({ code }) => code))
}

/** A machine as planned, what it sells from, and how. */
export type Planned = ReturnType<typeof planNetwork>[number]

/** All that chance decides of how a network stands, before anything is written. */
export function planNetwork(count: number) {
  const machines = [...planMachines(count), ...planAbroad(count)]
  const playing = highGoMachines(machines)
  const collecting = new Set(merchants.filter((merchant) => merchant.collectsPayment).map(({ code }) => code))
  return machines.map((machine) => ({
    machine,
    slots: planSlots(machine),
    isPlaying: playing.has(machine.code),
    collectsPayment: collecting.has(machine.merchant),
  }))
}
