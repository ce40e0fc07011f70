import type { MachineFacts } from '@aisle/contract/fleet/machineForm'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { settingOf } from '../../features/fleet/machine/machine.columns'
import { insertMachines, makeSecret } from '../../features/fleet/machine/machine.store'
import { hangSlots } from '../../features/fleet/public'
import { addDays } from '../../kernel/businessDay'
import { DAY_MS, HOUR_MS } from '../calendar'
import type { Past } from '../life/within'
import type { DemoMachine } from './network'
import type { Planned } from './planned'
import { randomFrom, seedOf } from '../random'

/** Before now; a machine that is put up today has been there for as long. */
const PUT_UP_MS = 3 * HOUR_MS

/** By the functions that an import and the form of machines use. @returns secrets by machine code */
export async function addMachines(past: Past, planned: readonly Planned[]): Promise<ReadonlyMap<string, string>> {
  const { idOf, tx } = past
  const now = new Date(past.latestMs)
  const made = planned.map(({ machine }) => ({
    ...machine,
    ...makeSecret(),
    ...makeOf(machine, now),
    merchantId: idOf('merchant', machine.merchant),
    pointId: idOf('point', machine.site.name),
    routeId: null,
    // Its slots come with what they hold.
    layers: 0,
    slotsPerLayer: 0,
  }))
  for (const [code, id] of await insertMachines(tx, made, now)) past.ids.machine.set(code, id)
  for (const { machine, isPlaying } of planned) {
    const facts = factsOf(machine, { isPlaying, now })
    await sql`update machine set ${settingOf(facts)}, operation = ${machine.operation}
      where code = ${machine.code}`.execute(tx)
  }
  await sql`update machine set thermostat_told = thermostat`.execute(tx)
  const slots = planned.flatMap(({ machine, slots }) =>
    slots.map(({ product, ...slot }) => ({
      ...slot,
      machineId: idOf('machine', machine.code),
      merchantId: idOf('merchant', machine.merchant),
      machineCode: machine.code,
      productId: product ? idOf('product', product.code) : null,
    })),
  )
  await hangSlots(tx, slots)
  const odd = slots.filter(({ choice, fault }) => choice !== 'none' || fault !== null)
  await sql`update slot set choice = o.choice, fault = o.fault
    from ${rows('o', odd, { machineId: 'bigint', code: 'text', choice: 'text', fault: 'text' })}
    where slot.machine_id = o.machine_id and slot.code = o.code`.execute(tx)
  return new Map(made.map(({ code, secret }) => [code, secret]))
}

const deployedMs = ({ deployedDaysAgo }: DemoMachine, now: Date) => now.getTime() - deployedDaysAgo * DAY_MS - PUT_UP_MS

function makeOf(machine: DemoMachine, now: Date) {
  const random = randomFrom(seedOf(`${machine.code}/made`))
  const madeMs = deployedMs(machine, now) - random.between(40, 130) * DAY_MS
  const manufacturedOn = new Date(madeMs).toISOString().slice(0, 10)
  const hardwareVersion = random.pick(['B2', 'B3', 'B3'])
  return { hardwareVersion, manufacturedOn, warrantyUntil: addDays(manufacturedOn, 3 * 365) }
}

export const cooledByDay = { mode: 'cooling' as const, workingC: 6, periods: [{ from: '07:00', to: '23:00' }] }

/** What was noted when it was put up; medicine is held at a temperature, the rest cooled by day. */
function factsOf(machine: DemoMachine, { isPlaying, now }: { isPlaying: boolean; now: Date }): Partial<MachineFacts> {
  const { code, category, country, timeZone, temperatureMaxC } = machine
  const random = randomFrom(seedOf(`${code}/facts`))
  const isMedicine = category === 'medicine'
  const even = { mode: 'constant' as const, workingC: 20, periods: [] }
  return {
    country,
    timeZone,
    deployedAt: new Date(deployedMs(machine, now)).toISOString(),
    softwareVersion: random.pick(['3.8', '3.9', '3.9', '3.9']),
    slotMode: random.chance(0.1) ? 'belt' : category === 'drink' && random.chance(0.3) ? 'pusher' : 'spiral',
    cabinetType: (temperatureMaxC ?? 99) <= 15 ? 'cooled' : 'ambient',
    locksStock: isMedicine,
    shipsAfterJam: !isMedicine && random.chance(0.2),
    humidityMin: isMedicine ? 35 : null,
    humidityMax: isMedicine ? 75 : null,
    flowAlarmMb: random.pick([0, 2048]),
    thermostat: temperatureMaxC === null ? null : isMedicine ? even : cooledByDay,
    lotteryPermille: isPlaying ? random.pick([150, 200, 250]) : 0,
    upliftPermille: isPlaying ? random.pick([100, 150, 200]) : 0,
  }
}
