import { type RawBuilder, sql } from 'kysely'
import { PLATFORM_TIME_ZONE } from './businessDay'

/** Where a day begins at the network's home. */
export const midnight = (day: string): RawBuilder<Date> =>
  sql<Date>`(${day}::date::timestamp at time zone ${PLATFORM_TIME_ZONE})`

export const endOf = (day: string): RawBuilder<Date> => sql<Date>`(${midnight(day)} + interval '1 day')`

/** For `allOf`: an instant from one such day to another, both included; either may be left open. */
export const withinDays = (
  instant: RawBuilder<unknown>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) => [from && sql`${instant} >= ${midnight(from)}`, to && sql`${instant} < ${endOf(to)}`]
