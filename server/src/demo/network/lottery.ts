import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import type { DemoMachine } from './network'
import { idOf, type Ids } from '../people/people'
import { randomFrom, seedOf } from '../random'

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

/** Their odds, and merchants that offer it. */
export async function seedLottery(tx: Tx, codes: ReadonlySet<string>, machineIds: Ids): Promise<void> {
  for (const code of codes) {
    const random = randomFrom(seedOf(`${code}/plays`))
    await sql`update machine set lottery_permille = ${random.pick([150, 200, 250])},
      uplift_permille = ${random.pick([100, 150, 200])} where id = ${idOf(machineIds, code)}`.execute(tx)
  }
  await sql`update merchant set has_high_go = true
    where id in (select merchant_id from machine where lottery_permille > 0)`.execute(tx)
}
