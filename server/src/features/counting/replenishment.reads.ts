import type { Replenishment, listReplenishments } from '@aisle/contract/counting/replenishment'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, type Listing, listRows, summed } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'

type Row = Replenishment & { moved_at: Date; routeName: string | null; hospitalName: string | null }

/** A visit takes no longer, and what is said of a door is heard within it or not at all. */
const VISIT = sql`interval '4 hours'`

/** What the door of machine `m` said around `v.moved_at`. */
const door = (said: 'opened' | 'closed', when: RawBuilder<unknown>, side: RawBuilder<unknown>) => sql`(
  select to_json(${when}) #>> '{}' from device_event e
  where e.machine_id = m.id and e.type = 'door' and e.data ->> 'state' = ${sql.lit(said)}
    and e.received_at between v.moved_at - ${VISIT} and v.moved_at + ${VISIT} and ${side})`
const lastOpened = door('opened', sql`max(e.occurred_at)`, sql`e.occurred_at <= v.moved_at`)
const firstClosed = door('closed', sql`min(e.occurred_at)`, sql`e.occurred_at >= v.moved_at`)

const rowsInSight = (sight: Sight, among: RawBuilder<unknown>): RawBuilder<Row> => sql`
  select v.id, v.moved_at, to_json(v.moved_at) #>> '{}' as at, m.code as "machineCode", m.name as "machineName",
    o.name as "pointName", r.name as "routeName", h.name as "hospitalName", c.name as "merchantName",
    s.code as "slotCode", p.code as "productCode", p.name as "productName", v.before_pieces as before,
    v.quantity as added, v.after_pieces as after,
    v.after_pieces - v.before_pieces - v.quantity as gap, v.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
    case when f.kind = 'replenisher' then 'bag' else 'outside' end as source,
    nullif(f.name, '') as "fromName", v.replenisher, ${lastOpened} as "doorOpenedAt", ${firstClosed} as "doorClosedAt"
  from stock_move v join slot s on s.place_id = v.to_place_id join machine m on m.id = s.machine_id
  join point o on o.id = m.point_id join merchant c on c.id = m.merchant_id join product p on p.id = v.product_id
  left join route r on r.id = m.route_id left join hospital h on h.id = o.hospital_id
  join place f on f.id = v.from_place_id
  left join medicine_batch b on b.product_id = v.product_id and b.number = v.batch
  where v.cause = 'fill' and ${among} and ${machineInSight(sight, sql`m.id`)}`

/** What was put into slots: facts as the machines say them, so that a page costs the same however many there are. */
export function replenishmentsIn(
  { actor }: QueryContext,
  {
    q,
    product,
    batch,
    replenisher,
    machineCode,
    from,
    to,
    source,
    gap,
    merchantId,
  }: InputOf<typeof listReplenishments>,
): Listing<Replenishment, { added: number }> {
  const where = allOf([
    q &&
      sql`("machineCode" = ${q} or ${holds(sql`"machineName"`, q)} or ${holds(sql`"pointName"`, q)}
        or ${holds(sql`coalesce("routeName", '')`, q)} or ${holds(sql`coalesce("hospitalName", '')`, q)})`,
    product && sql`("productCode" = ${product} or ${holds(sql`"productName"`, product)})`,
    batch && sql`batch = ${batch}`,
    replenisher && holds(sql`replenisher`, replenisher),
    machineCode && sql`"machineCode" = ${machineCode}`,
    source && sql`source = ${source}`,
    gap && sql`gap <> 0`,
    ...withinDays(sql`moved_at`, { from, to }),
  ])
  const among = merchantId
    ? sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`
    : sql`true`
  return listRows({
    rows: rowsInSight(sightOf(actor), among),
    where,
    order: { by: sql`moved_at`, type: 'timestamptz', newestFirst: true },
    sums: summed('added'),
  })
}
