import {
  type Addition,
  type getLibraryAddition,
  type listLibraryAdditions,
  libraryState,
} from '@aisle/contract/catalog/library'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'
import { mayJudge } from './library.rules'
import { isOffered } from './shared.sql'

const pending = statesIn(libraryState, 'pending')

const rowsInSight = (sight: Sight) => sql<Addition>`
  select i.id, i.name, i.picture, i.kind, i.brand, i.specification, i.manufacturer, i.state,
    i.merchant_id as "merchantId", m.name as "merchantName", u.display_name as "offeredBy",
    to_json(i.created_at) #>> '{}' as "offeredAt", r.display_name as "reviewedBy",
    to_json(i.reviewed_at) #>> '{}' as "reviewedAt", i.reason
  from library_item i join merchant m on m.id = i.merchant_id left join app_user u on u.id = i.offered_by
  left join app_user r on r.id = i.reviewed_by
  where i.offered_by is not null and i.merchant_id is not null and ${merchantInSight(sight, sql`i.merchant_id`)}`

const orders: Record<'waiting' | 'newest', Order> = {
  waiting: { by: sql`(case when state in ${pending} then id else id + 1000000000000 end)`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listAdditionsIn(sight: Sight, filter: InputOf<typeof listLibraryAdditions>): Listing<Addition> {
  const { q, state, waiting, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`name`, q)} or ${holds(sql`brand`, q)} or ${holds(sql`"merchantName"`, q)})`,
    isAnyOf(sql`state`, state),
    waiting && sql`state in ${pending}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: orders[sort] })
}

type Detail = OutputOf<typeof getLibraryAddition>
type Row = Omit<Detail, 'alike' | 'isOwn'> & { sound: string }

export async function findAddition(ctx: QueryContext, id: number): Promise<Detail> {
  const found = await sql<Row>`select seen.*, i.version, i.unit, i.category, i.pictures, i.remark, i.sound,
      coalesce((select json_agg(json_build_object('code', b.code, 'packUnits', b.pack_units) order by b.code)
        from library_barcode b where b.item_id = i.id), '[]') as barcodes
    from (${rowsInSight(sightOf(ctx.actor))}) seen join library_item i on i.id = seen.id where seen.id = ${id}`.execute(
    ctx.db,
  )
  const { sound, ...row } = existing(found.rows[0])
  return { ...row, alike: await findAlike(ctx.db, row, sound), isOwn: !mayJudge(ctx.actor, row.merchantId) }
}

/** Items of the same sound, or of the same brand and specification. */
async function findAlike(db: Reader, { brand, specification }: Row | Omit<Row, 'sound'>, sound: string) {
  const found = await sql<Detail['alike'][number]>`select i.id, i.name, i.brand, i.specification from library_item i
    where ${isOffered} and ((${sound} <> '' and i.sound = ${sound})
      or (${brand} <> '' and i.brand = ${brand} and i.specification = ${specification}))
    order by i.sound = ${sound} desc, i.name, i.id limit 10`.execute(db)
  return found.rows
}

export async function countPendingAdditions(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from library_item i
    where i.state in ${pending} and ${merchantInSight(sight, sql`i.merchant_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
