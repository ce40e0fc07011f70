import { z } from 'zod'

/** Cooling below, heating above, or holding the working temperature (specification, section 3). */
export const thermostatModes = ['cooling', 'heating', 'constant'] as const

const zTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** A working period within a day, by the machine's own clock; one that ends before it begins goes over midnight. */
export const workingPeriod = z
  .strictObject({ from: zTime, to: zTime })
  .refine(({ from, to }) => from !== to, { path: ['to'] })

/** As it goes to the machine with `set_thermostat`. No period: it works all day. */
export const thermostat = z.strictObject({
  mode: z.enum(thermostatModes),
  /** °C. */
  workingC: z.number().min(-25).max(65),
  periods: z.array(workingPeriod).max(3).default([]),
})
export type Thermostat = z.output<typeof thermostat>
