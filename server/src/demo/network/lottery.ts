import type { DemoMachine } from './network'
import { seedOf } from '../random'

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
