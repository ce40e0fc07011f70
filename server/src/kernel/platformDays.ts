import { type RawBuilder, sql } from 'kysely'
import { PLATFORM_TIME_ZONE } from './businessDay'

/** Written into the statement: a parameter would be another expression at each place that groups by it. */
const zone = sql.lit(PLATFORM_TIME_ZONE)

type Instant = RawBuilder<unknown> | Date

/** The day of an instant where clocks go by a zone. @param there a literal, or the column that holds the zone */
export const dayAt = (instant: Instant, there: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(${instant}::timestamptz at time zone ${there})::date`

/** The day of an instant at the network's home. */
export const dayAtHome = (instant: Instant): RawBuilder<string> => dayAt(instant, zone)

/** The instant at which clocks at the network's home show a day or a time. */
export const instantAtHome = (wall: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`((${wall})::timestamp at time zone ${zone})`

/** Where a day begins at the network's home. */
export const midnight = (day: string): RawBuilder<Date> => instantAtHome(sql`${day}::date`)

export const endOf = (day: string): RawBuilder<Date> => sql<Date>`(${midnight(day)} + interval '1 day')`

/** For `allOf`: an instant from one such day to another, both included; either may be left open. */
export const withinDays = (
  instant: RawBuilder<unknown>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) => [from && sql`${instant} >= ${midnight(from)}`, to && sql`${instant} < ${endOf(to)}`]
