import { z } from 'zod'
import { alarmCauseNames } from '../alarm/states'
import { endpoint, zId, zInstant } from '../kernel/endpoint'

/** What may be wrong with a machine, by what its failures look like; each says why and what to do. */
export const findings = [
  'product_hangs',
  'power_or_board',
  'slot_motor',
  'slot_wire',
  'board_wires',
  'light_curtain',
  'lift',
  'flap',
  'pickup_door',
  'network',
  'cooling',
  'door_latch',
] as const
export type Finding = (typeof findings)[number]

const advice = z.object({
  finding: z.enum(findings),
  slot: z.string().nullable(),
  /** The figures that the reason names. */
  facts: z.record(z.string(), z.number()),
})
export type Advice = z.output<typeof advice>

export const getDiagnosis = endpoint({
  name: 'maintenance.getDiagnosis',
  method: 'GET',
  path: '/api/machines/{id}/diagnosis',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    code: z.string(),
    name: z.string(),
    pointName: z.string(),
    days: z.int(),
    vends: z.int(),
    failed: z.int(),
    /** Failures by slot and by what motor and sensor said, most first. */
    failures: z.array(
      z.object({
        slot: z.string(),
        product: z.string(),
        motorCode: z.string(),
        sensorCode: z.string(),
        count: z.int(),
        /** All vends of the slot. */
        of: z.int(),
        lastAt: zInstant,
      }),
    ),
    codes: z.array(z.object({ motorCode: z.string(), sensorCode: z.string(), count: z.int(), slots: z.int() })),
    alarms: z.array(z.object({ cause: z.enum(alarmCauseNames), count: z.int(), hours: z.number() })),
    offline: z.array(z.object({ from: zInstant, to: zInstant.nullable() })),
    offlineHours: z.number(),
    temperature: z.object({
      min: z.number().nullable(),
      max: z.number().nullable(),
      /** The mean of each hour. */
      points: z.array(z.object({ at: zInstant, celsius: z.number() })),
    }),
    advice: z.array(advice),
    openOrders: z.array(z.object({ id: z.int(), problem: z.string(), state: z.string() })),
  }),
  refusals: ['request.notFound'],
  summary: 'What is wrong with a machine by the facts of thirty days, and what to do about it',
})
