import type { MachineFacts } from '@aisle/contract/fleet/machineForm'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { settingOf } from '../../features/fleet/machine/machine.columns'
import { insertMachines, makeSecret } from '../../features/fleet/machine/machine.store'
import { hangSlots } from '../../features/fleet/public'
import type { Tx } from '../../kernel/context'
import { DAY_MS, HOUR_MS } from '../calendar'
import { highGoMachines } from './lottery'
import type { DemoMachine } from './network'
import { idOf, type Ids } from '../people/people'
import type { DemoSlot } from './planogram'
import { randomFrom, seedOf } from '../random'

/** A machine as planned, and what it sells from. */
export type Planned = { machine: DemoMachine; slots: readonly DemoSlot[] }

/** Before now; a machine that is put up today has been there for as long. */
const PUT_UP_MS = 3 * HOUR_MS

type Around = { merchants: Ids; points: Ids; products: Ids; now: Date }

/** By the functions that an import and the form of machines use. @returns ids and secrets by machine code */
export async function addMachines(
  tx: Tx,
  planned: readonly Planned[],
  { merchants, points, products, now }: Around,
): Promise<{ ids: Ids; secrets: ReadonlyMap<string, string> }> {
  const made = planned.map(({ machine }) => ({
    ...machine,
    ...makeSecret(),
    ...makeOf(machine, now),
    merchantId: idOf(merchants, machine.merchant),
    pointId: idOf(points, machine.site.name),
    routeId: null,
    // Its slots come with what they hold.
    layers: 0,
    slotsPerLayer: 0,
  }))
  const ids = await insertMachines(tx, made, now)
  const playing = highGoMachines(planned.map(({ machine }) => machine))
  for (const { machine } of planned) {
    const facts = factsOf(machine, { isPlaying: playing.has(machine.code), now })
    await sql`update machine set ${settingOf(facts)}, operation = ${machine.operation}
      where code = ${machine.code}`.execute(tx)
  }
  await sql`update machine set thermostat_told = thermostat`.execute(tx)
  const slots = planned.flatMap(({ machine, slots }) =>
    slots.map(({ product, ...slot }) => ({
      ...slot,
      machineId: idOf(ids, machine.code),
      merchantId: idOf(merchants, machine.merchant),
      machineCode: machine.code,
      productId: product ? idOf(products, product.code) : null,
    })),
  )
  await hangSlots(tx, slots)
  const odd = slots.filter(({ choice, fault }) => choice !== 'none' || fault !== null)
  await sql`update slot set choice = o.choice, fault = o.fault
    from ${rows('o', odd, { machineId: 'bigint', code: 'text', choice: 'text', fault: 'text' })}
    where slot.machine_id = o.machine_id and slot.code = o.code`.execute(tx)
  return { ids, secrets: new Map(made.map(({ code, secret }) => [code, secret])) }
}

const deployedMs = ({ deployedDaysAgo }: DemoMachine, now: Date) => now.getTime() - deployedDaysAgo * DAY_MS - PUT_UP_MS

function makeOf(machine: DemoMachine, now: Date) {
  const random = randomFrom(seedOf(`${machine.code}/made`))
  const madeMs = deployedMs(machine, now) - random.between(40, 130) * DAY_MS
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const hardwareVersion = random.pick(['B2', 'B3', 'B3'])
  return { hardwareVersion, manufacturedOn: dayOf(madeMs), warrantyUntil: dayOf(madeMs + 3 * 365 * DAY_MS) }
}

/** What was noted when it was put up; medicine is held at a temperature, the rest cooled by day. */
function factsOf(machine: DemoMachine, { isPlaying, now }: { isPlaying: boolean; now: Date }): Partial<MachineFacts> {
  const { code, category, country, timeZone, temperatureMaxC } = machine
  const random = randomFrom(seedOf(`${code}/facts`))
  const isMedicine = category === 'medicine'
  const cooled = { mode: 'cooling', workingC: 6, periods: [{ from: '07:00', to: '23:00' }] } as const
  const even = { mode: 'constant', workingC: 20, periods: [] } as const
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
    thermostat:
      temperatureMaxC === null
        ? null
        : isMedicine
          ? { ...even, periods: [] }
          : { ...cooled, periods: [...cooled.periods] },
    lotteryPermille: isPlaying ? random.pick([150, 200, 250]) : 0,
    upliftPermille: isPlaying ? random.pick([100, 150, 200]) : 0,
  }
}
