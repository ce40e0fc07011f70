import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import type { BagLot } from './fill.rules'

type Asked = { merchantId: number; machineId: number; at: Date; replenisher: string | null }

type Found = { placeId: number; serviceId: number | null }

/**
 * Out of whose bag each of these was filled: of whom the machine names, else of who was under way to it then; by the
 * place in the list, with the service in which it was. Whom it names by account, or by a name that one person has.
 */
export async function bagsOf(tx: Tx, asked: readonly Asked[]): Promise<Map<number, Found>> {
  const numbered = asked.map((one, n) => ({ ...one, n }))
  const found = await sql<Found & { n: number }>`
    select a.n, b.place_id as "placeId", (
      select max(v.id) from bag_service v where v.machine_id = a.machine_id and v.bag_id = b.id and v.from_at <= a.at
        and (v.to_at is null or v.to_at > a.at)) as "serviceId"
    from ${rows('a', numbered, {
      n: 'int',
      merchantId: 'bigint',
      machineId: 'bigint',
      at: 'timestamptz',
      replenisher: 'text',
    })}
    left join lateral (
      select case when bool_or(u.account = a.replenisher) then min(g.id) filter (where u.account = a.replenisher)
        when count(*) = 1 then min(g.id) end as id
      from bag g join app_user u on u.id = g.user_id
      where g.merchant_id = a.merchant_id and a.replenisher in (u.account, u.display_name)) named on true
    left join lateral (
      select v.bag_id as id from bag_service v
      where named.id is null and v.machine_id = a.machine_id and v.from_at <= a.at
        and (v.to_at is null or v.to_at > a.at)
      order by v.from_at desc limit 1) serving on true
    join bag b on b.id = coalesce(named.id, serving.id) and b.merchant_id = a.merchant_id`.execute(tx)
  return new Map(found.rows.map(({ n, ...bag }) => [n, bag]))
}

type Wanted = { placeId: number; productId: number }
export const lotsKey = ({ placeId, productId }: Wanted): string => `${placeId}/${productId}`

/** What these bags hold of these products, by `lotsKey`; held, in the order of all who move goods, until the end. */
export async function holdLots(tx: Tx, wanted: readonly Wanted[]): Promise<Map<string, BagLot[]>> {
  const lots = new Map<string, BagLot[]>()
  if (wanted.length === 0) return lots
  const given = rows('w', wanted, { placeId: 'bigint', productId: 'bigint' })
  await sql`select from stock_level l
    where (l.place_id, l.product_id) in (select w.place_id, w.product_id from ${given})
    order by l.place_id, l.product_id for update`.execute(tx)
  const found = await sql<Wanted & BagLot>`
    select l.place_id as "placeId", l.product_id as "productId", x.batch,
      to_char(m.expires_on, 'YYYY-MM-DD') as "expiresOn", x.quantity
    from (select distinct place_id, product_id from ${given}) w
    join stock_level l on l.place_id = w.place_id and l.product_id = w.product_id and l.quantity > 0
    join product p on p.id = l.product_id
    cross join lateral (
      select '' as batch, l.quantity where p.kind <> 'medicine'
      union all
      select b.batch, b.quantity from batch_level b
      where p.kind = 'medicine' and b.place_id = l.place_id and b.product_id = l.product_id and b.quantity > 0) x
    left join medicine_batch m on m.product_id = l.product_id and m.number = x.batch`.execute(tx)
  for (const { placeId, productId, ...lot } of found.rows) {
    const key = lotsKey({ placeId, productId })
    lots.set(key, [...(lots.get(key) ?? []), lot])
  }
  return lots
}

type Service = { bagId: number; machineIds: readonly number[]; at: Date }

/** From now on the bag's owner is the one under way to these machines. @throws bag_service_open where another is */
export async function beginService(tx: Tx, { bagId, machineIds, at }: Service): Promise<void> {
  await sql`insert into bag_service (machine_id, bag_id, from_at)
    select id, ${bagId}, ${at} from unnest(${[...machineIds]}::bigint[]) as id order by id`.execute(tx)
}

/** Whoever it was: one at most is under way to a machine. */
export async function endService(tx: Tx, { machineIds, at }: Omit<Service, 'bagId'>): Promise<void> {
  await sql`update bag_service set to_at = greatest(from_at, ${at}::timestamptz)
    where machine_id = any(${[...machineIds]}::bigint[]) and to_at is null`.execute(tx)
}
