import { isInHouse } from '@aisle/contract/catalog/barcode'
import { libraryState } from '@aisle/contract/catalog/library'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../../kernel/context'
import { statesIn } from '../../../kernel/states'
import { isOffered, sharedOf } from './shared.sql'

/** A number that the library may hold, as `b`. */
const isPublic = sql`b.code !~ '^(2[0-9]{7}|2[0-9]{11,12}|[0-9]2[0-9]{12})$'`

type Standing = { id: number; hasOrigin: boolean; itemId: number | null; isOffered: boolean | null; isWaiting: boolean }
export type OfferOutcome = 'done' | 'linked' | 'waiting' | 'have'

/** Each product as an addition, unless the library or somebody's addition has its number. */
export async function offer(ctx: CommandContext, ids: readonly number[]): Promise<Map<number, OfferOutcome>> {
  const standing = await findStanding(ctx.tx, ids)
  const outcomes = new Map<number, OfferOutcome>(standing.map((each) => [each.id, outcomeOf(each)]))
  const those = (outcome: OfferOutcome) => standing.filter(({ id }) => outcomes.get(id) === outcome)
  for (const { id, itemId } of those('linked')) if (itemId !== null) await tie(ctx.tx, id, itemId)
  const lost = await addAdditions(
    ctx,
    those('done').map(({ id }) => id),
  )
  for (const id of lost) outcomes.set(id, 'waiting')
  return outcomes
}

const outcomeOf = ({ hasOrigin, itemId, isOffered: offered, isWaiting }: Standing): OfferOutcome => {
  if (hasOrigin) return 'have'
  if (itemId !== null && offered) return 'linked'
  return itemId !== null || isWaiting ? 'waiting' : 'done'
}

async function findStanding(tx: Tx, ids: readonly number[]): Promise<Standing[]> {
  const found = await sql<Standing>`select p.id, o.product_id is not null as "hasOrigin", known.id as "itemId",
      known.is_offered as "isOffered", exists (select 1 from library_item a
        where a.product_id = p.id and a.state in ${statesIn(libraryState, 'pending')}) as "isWaiting"
    from product p left join product_origin o on o.product_id = p.id
    left join lateral (select i.id, ${isOffered} as is_offered from product_barcode b
      join library_barcode l on l.gtin = lpad(b.code, 14, '0') join library_item i on i.id = l.item_id
      where b.product_id = p.id order by is_offered desc, i.id limit 1) known on true
    where p.id = any(${[...ids]}::bigint[])`.execute(tx)
  return found.rows
}

export async function tie(tx: Tx, productId: number, itemId: number): Promise<void> {
  await sql`insert into product_origin (product_id, item_id, version, seen)
    select ${productId}, i.id, i.version, ${sharedOf('i')} from library_item i where i.id = ${itemId}
    on conflict do nothing`.execute(tx)
}

/** @returns those whose number somebody else's addition got first */
async function addAdditions(ctx: CommandContext, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const made = await sql<{ id: number }>`
    insert into library_item (kind, name, sound, brand, specification, unit, manufacturer, category, picture, pictures,
      remark, state, merchant_id, product_id, offered_by, created_at)
    select p.kind, p.name, p.sound, p.brand, p.specification, p.unit, p.manufacturer, coalesce(c.name, ''), p.picture,
      p.pictures, p.remark, case when p.picture is null then ${sql.lit(libraryState.initial)}
        else ${sql.lit(libraryState.to('addPicture'))} end, p.merchant_id, p.id, ${ctx.actor.userId}, ${ctx.now()}
    from product p left join category c on c.id = p.category_id where p.id = any(${[...ids]}::bigint[])
    order by p.id returning id`.execute(ctx.tx)
  const itemIds = made.rows.map(({ id }) => id)
  await sql`insert into library_barcode (code, item_id, pack_units)
    select b.code, i.id, b.pack_units from library_item i join product_barcode b on b.product_id = i.product_id
    where i.id = any(${itemIds}::bigint[]) and ${isPublic} order by b.code on conflict do nothing`.execute(ctx.tx)
  const lost = await sql<{ id: number }>`delete from library_item i where i.id = any(${itemIds}::bigint[])
    and i.product_id is not null
    and exists (select 1 from product_barcode b where b.product_id = i.product_id and ${isPublic})
    and not exists (select 1 from library_barcode l where l.item_id = i.id) returning i.product_id as id`.execute(
    ctx.tx,
  )
  return lost.rows.map(({ id }) => id)
}

/** What a person has just entered with a number that the library lacks is offered by itself. */
export async function offerUnknown(ctx: CommandContext, id: number, codes: readonly string[]): Promise<void> {
  if (!codes.some((code) => !isInHouse(code))) return
  const [standing] = await findStanding(ctx.tx, [id])
  if (standing && outcomeOf(standing) === 'done') await addAdditions(ctx, [id])
}
