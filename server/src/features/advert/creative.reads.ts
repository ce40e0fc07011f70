import type { Creative, CreativeDetail, listCreatives } from '@aisle/contract/advert/creative'
import { bookingState } from '@aisle/contract/advert/booking'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { existing } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'
import { type AdFile, linksOf } from './link'

const usedBy = sql`b.creative_ids @> array[c.id] and b.state in ${statesIn(bookingState, 'open')}
  and b.ends_on >= current_date - 1`

const rowsInSight = (sight: Sight): RawBuilder<Creative> => sql`
  select c.id, c.merchant_id as "merchantId", m.name as "merchantName", c.name, c.state, c.media, c.preview, c.bytes,
    c.seconds, c.width, c.height, c.sha256, c.advertised, c.approval_no as "approvalNo",
    (select count(*)::int from advert_booking b where ${usedBy}) as bookings, u.display_name as "createdBy",
    to_json(c.created_at) #>> '{}' as "createdAt", r.display_name as "reviewedBy"
  from creative c join merchant m on m.id = c.merchant_id left join app_user u on u.id = c.created_by
  left join app_user r on r.id = c.reviewed_by
  where ${merchantInSight(sight, sql`c.merchant_id`)}`

export function listIn({ actor }: QueryContext, filter: InputOf<typeof listCreatives>): Listing<Creative> {
  const { q, state, advertised, merchantId } = filter
  const where = allOf([
    q && holds(sql`name`, q),
    isAnyOf(sql`state`, state),
    isAnyOf(sql`advertised`, advertised),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows({
    rows: rowsInSight(sightOf(actor)),
    where,
    order: { by: sql`id`, type: 'bigint', newestFirst: true },
  })
}

export async function detail({ db, actor }: QueryContext, id: number): Promise<CreativeDetail> {
  const found = await sql<CreativeDetail>`
    select seen.*, c.turned_down_for as "turnedDownFor", coalesce(c.created_by = ${actor.userId}, false) as "isOwn",
      coalesce((select json_agg(json_build_object('id', b.id, 'name', b.name) order by b.id)
        from advert_booking b where ${usedBy}), '[]') as "inBookings"
    from (${rowsInSight(sightOf(actor))}) seen join creative c on c.id = seen.id where seen.id = ${id}`.execute(db)
  return existing(found.rows[0])
}

/** As long as a person looks at it. */
const OPEN_MS = 10 * 60_000

export async function open({ db, actor, services, now }: QueryContext, id: number): Promise<{ url: string }> {
  const found = await sql<AdFile>`select sha256, media from creative
    where id = ${id} and ${merchantInSight(sightOf(actor), sql`merchant_id`)}`.execute(db)
  const file = existing(found.rows[0])
  const links = await linksOf(db, services.keys, [file], new Date(now().getTime() + OPEN_MS))
  return { url: existing(links.get(file.sha256)) }
}
