import { z } from 'zod'

/** Cooling below, heating above, or holding the working temperature (specification, section 3). */
export const thermostatModes = ['cooling', 'heating', 'constant'] as const

const zTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** A working period within a day, by the machine's own clock; one that ends before it begins goes over midnight. */
export const workingPeriod = z
  .strictObject({ from: zTime, to: zTime })
  .refine(({ from, to }) => from !== to, { path: ['to'] })

const DAY_MINUTES = 24 * 60
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Two that hold at one minute would ask for the same thing twice, or for two things. */
const areApart = (periods: readonly { from: string; to: string }[]): boolean => {
  const minutes = periods.map(({ from, to }) => {
    const begin = minuteOf(from)
    return { begin, length: (minuteOf(to) - begin + DAY_MINUTES) % DAY_MINUTES }
  })
  return minutes.every(({ begin }, one) =>
    minutes.every(
      ({ begin: other, length }, at) => at === one || (begin - other + DAY_MINUTES) % DAY_MINUTES >= length,
    ),
  )
}

/** As it goes to the machine with `set_thermostat`. No period: it works all day. */
export const thermostat = z.strictObject({
  mode: z.enum(thermostatModes),
  /** °C. */
  workingC: z.number().min(-25).max(65),
  periods: z
    .array(workingPeriod)
    .max(3)
    .refine(areApart, { params: { domain: 'fleet', rule: 'periodsApart' } })
    .default([]),
})
export type Thermostat = z.output<typeof thermostat>
