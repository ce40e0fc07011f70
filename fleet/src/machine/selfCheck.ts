import type { CheckedPart } from '@aisle/contract/device/selfCheck'
import { hash32 } from '../random'
import { temperatureOf } from '../reports'
import type { Machine } from '../world'

/** One in so many has a part that is worn out, always the same one. */
const WORN_ONE_IN = 12
const wearing = ['light_curtain', 'printer', 'coin_acceptor', 'door_sensor', 'card_reader', 'scanner'] as const
type Part = CheckedPart['part']

/** Looks at each part without moving anything: motors by their winding, the rest by asking it. */
export function selfCheck(machine: Machine): CheckedPart[] {
  const { code, category, takesCash, slots } = machine
  const isCooled = category === 'drink' || category === 'combo' || category === 'medicine'
  const parts: Part[] = [
    'main_board',
    'driver_board',
    'light_curtain',
    'door_sensor',
    'temperature_sensor',
    ...(category === 'medicine' ? (['humidity_sensor', 'printer'] as const) : []),
    ...(isCooled ? (['compressor'] as const) : []),
    ...(takesCash ? (['coin_acceptor', 'bill_acceptor'] as const) : []),
    'card_reader',
    'scanner',
    'network',
    'screen',
    'storage',
  ]
  const worn = hash32(`worn ${code}`) % WORN_ONE_IN === 0 ? wearing[hash32(code) % wearing.length] : null
  return [
    ...parts.map((part): CheckedPart => ({ part, ok: part !== worn, ...said(machine, part, part === worn) })),
    ...slots.map(
      (slot): CheckedPart => ({
        part: 'motor',
        slot: slot.code,
        ok: slot.fault === null,
        code: slot.fault ?? '100',
      }),
    ),
  ]
}

function said(machine: Machine, part: Part, isWorn: boolean): Pick<CheckedPart, 'code' | 'value'> {
  if (isWorn) return { code: 'noAnswer' }
  if (part === 'temperature_sensor') return { value: `${temperatureOf(machine)} °C` }
  if (part === 'network') return { value: '4G' }
  if (part === 'storage') return { value: `${70 - (hash32(machine.code) % 40)} %` }
  return {}
}
