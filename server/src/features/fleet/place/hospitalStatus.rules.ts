import type { getHospitalStatus, WardCounts } from '@aisle/contract/fleet/machineStatus'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { grouped } from '../../../kernel/must'

type Building = OutputOf<typeof getHospitalStatus>['buildings'][number]
type Machine = Building['floors'][number]['machines'][number]
export type Placed = { machine: Machine; building: string; floor: string }

/** As they come: sorted by building, then by floor. */
export function byBuilding(placed: readonly Placed[]): Building[] {
  return [...grouped(placed, ({ building }) => building)].map(([name, inside]) => ({
    name,
    ...countsOf(inside),
    floors: [...grouped(inside, ({ floor }) => floor)].map(([floor, there]) => ({
      name: floor,
      ...countsOf(there),
      machines: there.map(({ machine }) => machine),
    })),
  }))
}

/** What a silent cabinet said of its temperature is no knowledge of now. */
export function countsOf(placed: readonly { machine: Machine }[]): WardCounts {
  const machines = placed.map(({ machine }) => machine)
  const count = (is: (machine: Machine) => boolean) => machines.filter(is).length
  const isKnown = ({ connection, temperature }: Machine) =>
    connection === 'online' && temperature.value !== null && !temperature.isStale
  const isWarm = ({ conditions }: Machine) => conditions.includes('temperature_abnormal')
  return {
    machineCount: machines.length,
    online: count(({ connection }) => connection === 'online'),
    offline: count(({ connection }) => connection === 'offline'),
    unknown: count(({ connection }) => connection === 'unknown'),
    faulty: count(({ conditions }) => conditions.includes('fault')),
    stockOut: count(({ emptySlots }) => emptySlots > 0),
    emptySlots: machines.reduce((sum, { emptySlots }) => sum + emptySlots, 0),
    warm: count((machine) => isKnown(machine) && isWarm(machine)),
    coolKnown: count((machine) => isKnown(machine) && !isWarm(machine)),
    coolUnknown: count((machine) => !isKnown(machine)),
  }
}
