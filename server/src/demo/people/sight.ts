import type { Grantee } from '@aisle/contract/sight/authorisation'
import { sql } from 'kysely'
import { grantMachines } from '../../features/fleet/public'
import { grouped } from '../../kernel/must'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { users } from '../data/people'
import { practitioners, units } from '../data/staff'
import type { Past } from '../life/within'
import type { DemoMachine } from '../network/network'

/** How long ago machines were handed out, and until when the newest unit has its own. */
const HANDED_OUT_DAYS_AGO = 40
const LENT_FOR_DAYS = 60

/** Who sees which machines, with the history of who gave what to whom. */
export async function grantSight({ idOf, tx, latestMs }: Past, machines: readonly DemoMachine[]): Promise<void> {
  const at = new Date(latestMs - HANDED_OUT_DAYS_AGO * DAY_MS)
  const grant = async (kind: Grantee, id: number, seen: readonly DemoMachine[], endsAt: Date | null = null) => {
    if (seen.length === 0) return
    const until = sql`${endsAt}::timestamptz`
    const machineIds = seen.map(({ code }) => idOf('machine', code))
    const given = sql`select unnest(${machineIds}::bigint[]) as machine_id, ${until} as ends_at`
    const by = { userId: idOf('user', kind === 'merchant' ? 'admin' : 'merchant'), at }
    await grantMachines(tx, { kind, id }, given, until, by)
  }
  for (const { account, sees } of users) await grant('user', idOf('user', account), machines.filter(sees))
  // Goods machines in hospitals, to the pharmacy beside them.
  const beside = machines.filter(({ point, merchant }) => point.kind === 'hospital' && merchant === point.merchant)
  for (const [merchant, own] of grouped(beside, (machine) => machine.merchant))
    await grant('merchant', idOf('merchant', `${merchant}RX`), own)
  // City by city in turn to the units that have none below them; the last one has its machines for two months only.
  const own = machines.filter(({ point }) => point.merchant.startsWith(DEMO_OPERATOR))
  const cities = [...new Set(own.map(({ point }) => point.city))].sort()
  const leaves = units.filter(
    ({ merchant, name, isStopped }) =>
      merchant === DEMO_OPERATOR && !isStopped && !units.some(({ parent }) => parent === name),
  )
  for (const [n, { name }] of leaves.entries()) {
    const seen = own.filter(({ point }) => cities.indexOf(point.city) % leaves.length === n)
    const endsAt = n === leaves.length - 1 ? new Date(latestMs + LENT_FOR_DAYS * DAY_MS) : null
    await grant('organisation', idOf('unit', `${DEMO_OPERATOR}/${name}`), seen, endsAt)
  }
  // Doctors and pharmacists have a few medicine machines each.
  const team = practitioners.filter(({ merchant }) => merchant === DEMO_OPERATOR)
  const cabinets = own.filter(({ category }) => category === 'medicine')
  for (const [n, { account }] of team.entries()) {
    const seen = cabinets.filter((_, place) => place % team.length === n)
    await grant('user', idOf('user', account), seen)
  }
}
