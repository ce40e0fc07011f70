import type { AuthKeys, Tx } from '../kernel/context'
import { seedHospitals } from './network/hospitals'
import { seedIntegrations } from './integrations'
import { seedLicences } from './licences'
import { seedMembers } from './people/members'
import type { DemoMachine } from './network/network'
import type { Ids } from './people/people'
import { seedMachineFacts, seedWards } from './network/wards'

/** What surrounds the machines: hospitals with their wards, licences, interfaces and members. */
export async function seedPaperwork(
  tx: Tx,
  machines: readonly DemoMachine[],
  ids: { machines: Ids; merchants: Ids; users: Ids },
  { keys, now, founded }: { keys: AuthKeys; now: Date; founded: Date },
): Promise<void> {
  await seedHospitals(tx, machines, ids.merchants, founded)
  await seedWards(tx)
  await seedMachineFacts(tx)
  await seedLicences(tx, machines, ids, now)
  const machine = machines.find(({ merchant }) => merchant === 'EAST')?.code
  await seedIntegrations(tx, keys, ids, { machine, now })
  await seedMembers(tx, machines, ids, now)
}
