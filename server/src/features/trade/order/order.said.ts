import { aboutMargins, amountMargins } from '@aisle/contract/trade/order'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { anyHolds } from '../../../kernel/list'
import { soundOf } from '../../catalog/public'

/** What a customer says of an order without any number of it: how much, about when, and where. */

/** Of what was asked or paid: the customer has seen both. @param yuan `9.80` */
export function amountWithin(yuan: string, margin: string = amountMargins[0]): RawBuilder<unknown> {
  const [fen, by] = [fenOf(yuan), fenOf(margin)]
  const [least, most] = [fen - by, fen + by]
  return sql`(o.paid_fen between ${least} and ${most} or o.total_fen between ${least} and ${most})`
}

const fenOf = (yuan: string) => Math.round(Number(yuan.replace(',', '.')) * 100)

/** On the clock of the machine that sold it; asked of the few that `minuteWithin` leaves. */
export const isAbout = (about: string, margin: string = aboutMargins[0]): RawBuilder<unknown> =>
  sql`(select abs(extract(epoch from o.occurred_at - (${about}::timestamp at time zone m.time_zone)))
    <= ${Number(margin) * 60} from machine m where m.id = o.machine_id)`

/** Bounds of that minute on all clocks that machines have: with one zone, the window itself. */
export const minuteWithin = (
  at: RawBuilder<unknown>,
  about: string,
  margin: string = aboutMargins[0],
): RawBuilder<unknown> => {
  const by = sql`${Number(margin)} * interval '1 minute'`
  const clocks = sql`from (select distinct time_zone from machine) z`
  const said = sql`(${about}::timestamp at time zone z.time_zone)`
  return sql`${at} >= (select min(${said}) - ${by} ${clocks}) and ${at} <= (select max(${said}) + ${by} ${clocks})`
}

/** Of an amount alone, so that nobody reads years for it; a clock that runs ahead does not move them. */
export const newestDays = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${at} >= (select least(max(occurred_at), now()) from orders) - interval '31 days'`

/** The points whose city, address or name holds what was said; cities also as they sound (suzhou, sz). */
export async function placesCalled(db: Reader, said: string): Promise<RawBuilder<unknown>> {
  const found = await sql<{ city: string }>`select distinct city from point`.execute(db)
  const wanted = said.toLowerCase()
  const cities = found.rows.map(({ city }) => city).filter((city) => soundsAs(city, wanted))
  const words = ['name', 'province', 'city', 'address'].map((column) => sql.ref(`called.${column}`))
  return sql`select called.id from point called
    where called.city = any(${cities}::text[]) or ${anyHolds(words, said)}`
}

const soundsAs = (city: string, wanted: string): boolean =>
  soundOf(city)
    .split(' ')
    .some((sound) => sound.startsWith(wanted))
