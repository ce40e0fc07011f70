import type { Advice } from '@aisle/contract/maintenance/diagnosis'

/** A slot's failures by what its motor and sensor said, among all its vends. */
export type Failure = { slot: string; motorCode: string; sensorCode: string; count: number; of: number }
export type Facts = {
  failures: readonly Failure[]
  offlineSpans: number
  offlineHours: number
  temperature: { min: number | null; max: number | null; points: readonly { celsius: number }[] }
  alarms: Readonly<Record<string, number>>
}

type Rule = (facts: Facts) => Advice[]

/** So often is a pattern and no chance. */
const OFTEN = 3
/** On so many slots it is what they share, and not they. */
const MANY_SLOTS = 3

/**
 * What the failures look like, and so what to look at first. Motor and sensor are two facts (device protocol, 3.3): a
 * motor that ran well and a drop that nobody saw is a product that hangs; many motors that time out share a supply.
 */
export const adviceOf = (facts: Facts): Advice[] =>
  rules.flatMap((rule) => rule(facts)).sort((a, b) => weight(b) - weight(a))

const weight = ({ facts }: Advice): number => facts.count ?? 0

const sum = (failures: readonly Failure[]): number => failures.reduce((total, { count }) => total + count, 0)

function bySlot(failures: readonly Failure[]): { slot: string; count: number; of: number }[] {
  const slots = new Map<string, { slot: string; count: number; of: number }>()
  for (const { slot, count, of } of failures) {
    slots.set(slot, { slot, count: (slots.get(slot)?.count ?? 0) + count, of })
  }
  return [...slots.values()]
}

/** On one slot it is the slot's; on many it is what they share. */
const oneOrMany =
  (isMeant: (failure: Failure) => boolean, one: Advice['finding'], many: Advice['finding']): Rule =>
  ({ failures }) => {
    const meant = failures.filter(isMeant)
    const slots = bySlot(meant)
    if (slots.length >= MANY_SLOTS && sum(meant) >= OFTEN) {
      return [{ finding: many, slot: null, facts: { count: sum(meant), slots: slots.length } }]
    }
    return slots
      .filter(({ count }) => count >= OFTEN)
      .map(({ slot, count, of }) => ({ finding: one, slot, facts: { count, of } }))
  }

const sensor =
  (code: string, finding: Advice['finding']): Rule =>
  ({ failures }) => {
    const meant = failures.filter(({ sensorCode }) => sensorCode === code)
    return sum(meant) >= OFTEN
      ? [{ finding, slot: null, facts: { count: sum(meant), slots: bySlot(meant).length } }]
      : []
  }

const hangs: Rule = ({ failures }) =>
  bySlot(failures.filter(({ motorCode, sensorCode }) => motorCode === '100' && sensorCode === '03'))
    .filter(({ count }) => count >= OFTEN)
    .map(({ slot, count, of }) => ({ finding: 'product_hangs', slot, facts: { count, of } }))

const network: Rule = ({ offlineSpans: spans, offlineHours }) =>
  spans >= 5 || offlineHours >= 24
    ? [{ finding: 'network', slot: null, facts: { count: spans, hours: Math.round(offlineHours) } }]
    : []

/** A twentieth of the hours outside is more than a door that was open to be filled. */
const cooling: Rule = ({ temperature: { min, max, points } }) => {
  const outside = points.filter(({ celsius }) => (min !== null && celsius < min) || (max !== null && celsius > max))
  return outside.length >= OFTEN && outside.length * 20 >= points.length
    ? [{ finding: 'cooling', slot: null, facts: { count: outside.length, of: points.length } }]
    : []
}

const latch: Rule = ({ alarms }) => {
  const count = alarms.door_open ?? 0
  return count >= OFTEN ? [{ finding: 'door_latch', slot: null, facts: { count } }] : []
}

const rules: readonly Rule[] = [
  hangs,
  oneOrMany(({ motorCode }) => motorCode === '102' || motorCode === '103', 'slot_motor', 'power_or_board'),
  oneOrMany(({ motorCode }) => motorCode === '101', 'slot_wire', 'board_wires'),
  sensor('02', 'light_curtain'),
  sensor('04', 'lift'),
  sensor('05', 'flap'),
  sensor('06', 'pickup_door'),
  network,
  cooling,
  latch,
]
