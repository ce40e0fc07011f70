import { createHash } from 'node:crypto'
import { type AlarmCause, type AlarmLevel, alarmLevels } from '@aisle/contract/alarm/states'
import { z } from 'zod'
import { HUMIDITY_BAND, isClockOff, isJam, isOutside, TEMPERATURE_BAND_C, temperatureDelayMs } from './watch.rules'
import type { Measured, Probe } from './watch.store'

/** A message that a machine's fact came from, as the gateway took it. */
export type Watched = {
  machineId: number
  merchantId: number
  type: string
  data: Record<string, unknown>
  occurredAt: Date
  receivedAt: Date
  skewMs: number
}

/** What a message says of one cause: it holds or it doesn't. */
export type Sign = {
  machineId: number
  merchantId: number
  cause: AlarmCause
  slot: string
  isTrue: boolean
  /** Left out: as bad as the cause is. */
  level?: AlarmLevel
  delayMs: number
  facts: Record<string, string | number>
  at: Date
}
type Said = Partial<Pick<Sign, 'slot' | 'level' | 'delayMs' | 'facts'>> & { cause: AlarmCause; isTrue: boolean }

/** What was said long ago tells nothing of now; a medicine that was warm an hour ago was warm. */
const LATE_MS = 10 * 60_000
const MINUTE_MS = 60_000

export type Circumstances = {
  measured: Measured | undefined
  /** What each probe last said, where another one may say otherwise than the message. */
  probes: readonly Probe[]
  isOpen: (cause: AlarmCause, slot?: string) => boolean
}

/** All that a message says of causes. */
export function signsOf(message: Watched, around: Circumstances): Sign[] {
  const isLate = message.receivedAt.getTime() - message.occurredAt.getTime() > LATE_MS
  const said = [...general(message, around), ...(isLate ? lateOf(message, around) : presentOf(message, around))]
  const { machineId, merchantId, receivedAt: at } = message
  return said.map((each) => ({ machineId, merchantId, at, slot: '', delayMs: 0, facts: {}, ...each }))
}

/** Any message ends a silence: evaluated on receipt, else an alarm could stay open for ever (device protocol, 6). */
function general({ type, data, skewMs }: Watched, { isOpen }: Circumstances): Said[] {
  if (type === 'presence' && data.online === false) return []
  const isOff = isClockOff(skewMs, isOpen('clock_drift'))
  return [
    { cause: 'offline', isTrue: false },
    { cause: 'clock_drift', isTrue: isOff, facts: { minutes: Math.round(Math.abs(skewMs) / MINUTE_MS) } },
  ]
}

const lateOf = (message: Watched, around: Circumstances): Said[] =>
  message.type === 'temperature' && around.measured?.isMedicine
    ? temperatureOf(message, around).filter(({ cause, isTrue }) => cause === 'temperature' && isTrue)
    : []

function presentOf(message: Watched, around: Circumstances): Said[] {
  switch (message.type) {
    case 'heartbeat':
      return beatOf(message, around)
    case 'snapshot':
      return snapshotOf(message)
    case 'slot.state':
      return slotOf(message)
    case 'vend.result':
      return vendOf(message)
    case 'sale':
    case 'pay.result':
      return [{ cause: 'no_sales', isTrue: false }]
    case 'temperature':
      return temperatureOf(message, around)
    case 'door':
      return doorOf(message, around)
    case 'alarm.raised':
    case 'alarm.cleared':
      return ownOf(message)
    default:
      return []
  }
}

const zBeat = z.object({
  doorOpen: z.boolean().optional(),
  tempNow: z.array(z.number()).optional(),
  faults: z.array(z.string()).optional(),
  lowChange: z.boolean().optional(),
})

/** A slot's fault is not the machine's: the rest of it sells. The next snapshot says whether it is over. */
const ofSlot = /^slot (\S{1,12}) motor (\S{1,40})$/

function beatOf({ data }: Watched, around: Circumstances): Said[] {
  const beat = zBeat.safeParse(data).data
  if (!beat) return []
  const { doorOpen, tempNow = [], faults = [], lowChange = false } = beat
  const whole = faults.filter((fault) => !ofSlot.test(fault))
  const slots = faults.flatMap((fault): [string, string][] => {
    const [, slot, code] = ofSlot.exec(fault) ?? []
    return slot && code ? [[slot, code]] : []
  })
  return [
    { cause: 'machine_fault', isTrue: whole.length > 0, facts: { codes: whole.slice(0, 8).join(', ') } },
    ...slots.map(([slot, code]): Said => ({ cause: 'slot_fault', slot, isTrue: true, facts: { code } })),
    { cause: 'low_change', isTrue: lowChange },
    ...(doorOpen === undefined ? [] : [doorIs(doorOpen, around)]),
    ...warmth(
      tempNow.map((celsius, probe) => ({ probe, celsius })),
      around,
    ),
  ]
}

const doorIs = (isOpen: boolean, { measured }: Circumstances): Said => {
  const minutes = measured?.doorMinutes ?? 5
  return { cause: 'door_open', isTrue: isOpen, delayMs: minutes * MINUTE_MS, facts: { minutes } }
}

/** Every probe has to be inside: those that the message speaks of and those that spoke before. */
function warmth(
  said: readonly { probe: number; celsius: number }[],
  { measured, probes, isOpen }: Circumstances,
): Said[] {
  const limits = measured?.temperature
  if (!limits || said.length === 0 || (limits.min === null && limits.max === null)) return []
  const isHigh = isOpen('temperature')
  const all = [...said, ...others(said, probes)].map(({ celsius }) => celsius)
  const outside = all.filter((each) => isOutside(each, limits, isHigh, TEMPERATURE_BAND_C))
  return [
    {
      cause: 'temperature',
      isTrue: outside.length > 0,
      delayMs: temperatureDelayMs(measured.isMedicine),
      facts: { celsius: outside[0] ?? all[0] ?? 0, min: limits.min ?? '–', max: limits.max ?? '–' },
    },
  ]
}

const others = (said: readonly { probe: number }[], probes: readonly Probe[]): Probe[] =>
  probes.filter(({ probe }) => said.every((each) => each.probe !== probe))

const zTemperature = z.object({
  probe: z.coerce.number().default(0),
  celsius: z.number().optional(),
  humidity: z.number().nullish(),
})

function temperatureOf({ data }: Watched, around: Circumstances): Said[] {
  const { probe = 0, celsius, humidity } = zTemperature.safeParse(data).data ?? {}
  return [
    ...warmth(celsius === undefined ? [] : [{ probe, celsius }], around),
    ...(typeof humidity === 'number' ? moisture({ probe, humidity }, around) : []),
  ]
}

function moisture(said: { probe: number; humidity: number }, { measured, probes, isOpen }: Circumstances): Said[] {
  const limits = measured?.humidity
  if (!limits || (limits.min === null && limits.max === null)) return []
  const all = [said.humidity, ...others([said], probes).flatMap(({ humidity }) => humidity ?? [])]
  const outside = all.filter((each) => isOutside(each, limits, isOpen('humidity'), HUMIDITY_BAND))
  const facts = { humidity: outside[0] ?? said.humidity, min: limits.min ?? '–', max: limits.max ?? '–' }
  return [{ cause: 'humidity', isTrue: outside.length > 0, delayMs: temperatureDelayMs(false), facts }]
}

const zSlots = z.object({
  slots: z.array(z.object({ code: z.string(), status: z.string(), motor: z.string().optional() })),
})

const snapshotOf = ({ data }: Watched): Said[] =>
  (zSlots.safeParse(data).data?.slots ?? []).map(({ code, status, motor }) => ({
    cause: 'slot_fault',
    slot: code,
    isTrue: status === 'fault',
    facts: { code: motor ?? 'fault' },
  }))

const zSlotState = z.object({ slot: z.string(), status: z.string(), reason: z.string().optional() })

function slotOf({ data }: Watched): Said[] {
  const said = zSlotState.safeParse(data).data
  if (!said) return []
  const facts = { code: said.reason ?? 'fault' }
  return [{ cause: 'slot_fault', slot: said.slot, isTrue: said.status === 'fault', facts }]
}

const zVend = z.object({
  slot: z.string(),
  ok: z.boolean(),
  motorCode: z.string().optional(),
  sensorCode: z.string().optional(),
})

/** Goods that came out prove that nothing stands in the way. A failure of another kind says nothing of it. */
function vendOf({ data }: Watched): Said[] {
  const vend = zVend.safeParse(data).data
  if (!vend) return []
  const { slot, ok, motorCode = '', sensorCode = '' } = vend
  const facts = { motor: motorCode, sensor: sensorCode }
  const jam = { cause: 'jam' as const, slot, isTrue: isJam(vend), facts }
  return ok ? [jam, { cause: 'no_sales', isTrue: false }] : jam.isTrue ? [jam] : []
}

const zDoor = z.object({
  door: z.string().optional(),
  state: z.enum(['opened', 'closed']).optional(),
  by: z.string().optional(),
})

/** Nobody knows who opened it: only a person closes that alarm, since the door being shut again explains nothing. */
function doorOf({ data }: Watched, around: Circumstances): Said[] {
  const { state: turned, by, door = '' } = zDoor.safeParse(data).data ?? {}
  if (!turned) return []
  const isUnknown = turned === 'opened' && by === 'unknown'
  return [
    doorIs(turned === 'opened', around),
    ...(isUnknown ? [{ cause: 'door_unexpected' as const, isTrue: true, facts: { door } }] : []),
  ]
}

const zOwn = z.object({
  code: z.union([z.string(), z.number()]),
  slot: z.string().max(12).optional(),
  level: z.string().optional(),
  value: z.union([z.string(), z.number()]).optional(),
})

/** The machine's own alarm, under the code that it gives it, of the slot that it names. */
function ownOf({ type, data }: Watched): Said[] {
  const own = zOwn.safeParse(data).data
  if (!own) return []
  const { slot, level: said, value = '' } = own
  const code = String(own.code).slice(0, 40)
  const level = alarmLevels.find((each) => each === said)
  const facts = { code, ...(slot ? { slot } : {}), value }
  return [
    { cause: 'device', slot: partOf(code, slot), isTrue: type === 'alarm.raised', facts, ...(level && { level }) },
  ]
}

/** One alarm for each code and slot (device protocol, 6); what is too long to stand there is told apart by its hash. */
function partOf(code: string, slot: string | undefined): string {
  const whole = slot ? `${slot} ${code}` : code
  return whole.length <= PART_LENGTH ? whole : createHash('sha256').update(whole).digest('hex').slice(0, PART_LENGTH)
}
const PART_LENGTH = 12
