import { z } from 'zod'
import { endpoint, zDay, zId, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

export const temperatureRefusals = defineRefusals('device', {
  'temperature.days': 422,
  'temperature.dayLasts': 409,
  'temperature.noRecord': 409,
  'temperature.broken': 409,
  'temperature.stillOut': 409,
  'temperature.nothingHeld': 409,
})

/** Days that one look may span. */
export const MOST_TEMPERATURE_DAYS = 31

const celsius = z.number().nullable()
const day = z.object({
  day: zDay,
  records: z.int(),
  lowestC: celsius,
  highestC: celsius,
  /** Each record follows from the one before it, and none is missing at the end. */
  isWhole: z.boolean(),
  signedBy: z.string().nullable(),
  signedAt: zInstant.nullable(),
  /** Records that came after it was signed. */
  addedSince: z.int(),
})

export const getTemperatures = endpoint({
  name: 'device.getTemperatures',
  method: 'GET',
  path: '/api/machines/{id}/temperatures',
  access: 'machine.read',
  input: z.strictObject({ id: zId, from: zDay.optional(), to: zDay.optional() }),
  output: z.object({
    from: zDay,
    to: zDay,
    /** What the machine is to keep to; null where nothing is set. */
    minC: celsius,
    maxC: celsius,
    /** The mean, lowest and highest value of a span of time, oldest first; a span without a record is left out. */
    points: z.array(
      z.object({ at: zInstant, probe: z.int(), celsius: z.number(), lowest: z.number(), highest: z.number() }),
    ),
    /** Between two points that are further apart than this there was a silence. */
    spanMs: z.int(),
    /** Where the record was silent for longer than it may be (GSP, appendix 3). */
    silences: z.array(z.object({ from: zInstant, to: zInstant })),
    days: z.array(day),
    /** Slots that an excursion keeps from selling until they are released. */
    heldSlots: z.array(z.string()),
  }),
  refusals: ['request.notFound', 'temperature.days'],
  summary: 'The temperature record of a machine by business day: curve, silences, and whether the record is whole',
})

export const signTemperatures = endpoint({
  name: 'device.signTemperatures',
  method: 'POST',
  path: '/api/machines/{id}/sign-temperatures',
  access: 'machine.sign',
  writes: true,
  input: z.strictObject({ id: zId, day: zDay, note: z.string().trim().max(200).default('') }),
  output: z.object({ day: zDay, records: z.int() }),
  refusals: ['request.notFound', 'temperature.dayLasts', 'temperature.noRecord', 'temperature.broken'],
  summary: 'Sign the temperature record of a day that is over',
})

export const releaseSlots = endpoint({
  name: 'device.releaseSlots',
  method: 'POST',
  path: '/api/machines/{id}/release-slots',
  access: 'machine.release',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(1).max(200) }),
  output: z.object({ slots: z.array(z.string()) }),
  refusals: ['request.notFound', 'temperature.stillOut', 'temperature.nothingHeld'],
  summary: 'Let the slots sell again that a temperature excursion holds, once their goods have been judged',
})
