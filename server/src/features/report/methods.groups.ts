import { paymentMethods } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { dayGroup, dayOfNumber, type Group, monthGroup } from './grouped.reads'

/** A thing and a method in one number; a thing's methods in their order, though the largest number comes first. */
const WITHIN = 8
const methods = sql`${[...paymentMethods]}::text[]`
const place = sql`${WITHIN}::int - array_position(${methods}, method)`
const thing = sql`(g.id / ${WITHIN}::int)`

/** Of a row's number. */
export const methodOf = sql`(${methods})[${WITHIN}::int - (g.id % ${WITHIN}::int)]`
export const thingOf = (id: number) => Math.floor(id / WITHIN)

const eachMethod = ({ key, ...group }: Group): Group => ({
  ...group,
  key: sql`(${key})::bigint * ${WITHIN}::int + ${place}`,
})

/** Each way of paying, in sum and over time. */
export const methodGroups = {
  method: { key: place, name: methodOf },
  day: eachMethod({ ...dayGroup, name: sql`to_char(${dayOfNumber(thing)}, 'YYYY-MM-DD')` }),
  month: eachMethod({ ...monthGroup, name: sql`to_char(${dayOfNumber(thing)}, 'YYYY-MM')` }),
} satisfies Record<string, Group>

const ofMerchant = {
  name: sql`x.name`,
  code: sql`x.code`,
  join: sql`left join merchant x on x.id = ${thing}`,
  isByMerchant: true,
}

/** Merchants in the same numbers, in sum and by way of paying. */
export const merchantMethodGroups = {
  merchant: { key: sql`merchant_id * ${WITHIN}::int`, ...ofMerchant },
  merchantMethod: eachMethod({ key: sql`merchant_id`, ...ofMerchant }),
} satisfies Record<string, Group>
