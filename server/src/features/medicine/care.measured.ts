import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { only } from '../../kernel/must'

export type Measured = {
  lowestTenths: number | null
  highestTenths: number | null
  lowestHumidityTenths: number | null
  highestHumidityTenths: number | null
  readings: number
}

const nothing: Measured = {
  lowestTenths: null,
  highestTenths: null,
  lowestHumidityTenths: null,
  highestHumidityTenths: null,
  readings: 0,
}

/** What the machine's own records say of the period; a warehouse has none, and nobody types any in. */
export async function measuredAt(
  db: Reader,
  { machineId, since, until }: { machineId: number | null; since: string; until: Date },
): Promise<Measured> {
  if (machineId === null) return nothing
  const found = await sql<Measured>`
    select min(celsius_tenths) as "lowestTenths", max(celsius_tenths) as "highestTenths",
      min(humidity_tenths) as "lowestHumidityTenths", max(humidity_tenths) as "highestHumidityTenths",
      count(*)::int as readings
    from temperature_record r where r.machine_id = ${machineId}
      and r.at >= (select ${since}::date::timestamp at time zone time_zone from machine where id = ${machineId})
      and r.at <= ${until}`.execute(db)
  return only(found)
}
