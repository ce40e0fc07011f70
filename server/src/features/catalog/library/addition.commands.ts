import {
  type ignoreAddition,
  libraryState,
  type mergeAddition,
  type offerProducts,
  type pictureAddition,
} from '@aisle/contract/catalog/library'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'
import { type Facts, mayJudge, merged } from './library.rules'
import { offer, tie } from './offer.store'
import { isOffered } from './shared.sql'

const audit = auditAs('libraryItem')

/** @throws Refusal library.state */
const additions = stateful('libraryItem', 'state', libraryState, {
  versioned: true,
  refuse: () => refuse('library.state'),
})

type Id = { id: number }
type Item = Facts & { id: number; name: string }
type Held = Item & {
  merchantId: number
  productId: number | null
  state: (typeof libraryState.states)[number]
}
const facts = sql`i.id, i.name, i.brand, i.specification, i.unit, i.manufacturer, i.category, i.picture, i.pictures,
  i.remark`

export async function offerAll(
  ctx: CommandContext,
  { ids }: InputOf<typeof offerProducts>,
): Promise<OutputOf<typeof offerProducts>> {
  const unique = [...new Set(ids)]
  const found = await sql<{ id: number; merchantId: number }>`select p.id, p.merchant_id as "merchantId" from product p
    where p.id = any(${unique}::bigint[]) and not p.is_unknown
      and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} order by p.id for update of p`.execute(ctx.tx)
  const [first] = found.rows
  if (!first || found.rows.length < unique.length) return refuse('request.notFound')
  const outcomes = await offer(ctx, unique)
  await audit(ctx, { id: first.id, merchantId: first.merchantId }, null, Object.fromEntries(outcomes))
  return { outcomes: unique.map((id) => ({ id, outcome: outcomes.get(id) ?? 'gone' })) }
}

/** Locked. @throws Refusal for one out of sight, for one's own, and for a state from which the verb does not lead */
async function hold(ctx: CommandContext, id: number, verb: keyof typeof libraryState.moves): Promise<Held> {
  const found = await sql<Held>`select ${facts}, i.merchant_id as "merchantId", i.product_id as "productId", i.state
    from library_item i where i.id = ${id} and i.offered_by is not null and i.merchant_id is not null
      and ${merchantInSight(sightOf(ctx.actor), sql`i.merchant_id`)} for update of i`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (!mayJudge(ctx.actor, held.merchantId)) refuse('library.own')
  if (verb === 'check' && held.picture === null) refuse('library.noPicture')
  additions.must(held, verb)
  return held
}

const judgedBy = (ctx: CommandContext) => ({ reviewedBy: ctx.actor.userId, reviewedAt: ctx.now() })

export async function addPicture(ctx: CommandContext, { id, picture }: InputOf<typeof pictureAddition>) {
  const held = await hold(ctx, id, 'addPicture')
  const state = await additions.move(ctx.tx, held, 'addPicture', { picture })
  await audit(ctx, held, { picture: held.picture }, { picture })
  return { id, state }
}

/** The product that it was offered as comes from it from now on. */
export async function check(ctx: CommandContext, { id }: Id) {
  const held = await hold(ctx, id, 'check')
  const state = await additions.move(ctx.tx, held, 'check', judgedBy(ctx))
  if (held.productId !== null) await tie(ctx.tx, held.productId, id)
  await audit(ctx, held, { state: held.state }, { state })
  return { id, state }
}

/** What the item gains thereby is offered to its other copies, as any change of the library. */
export async function merge(ctx: CommandContext, { id, intoId }: InputOf<typeof mergeAddition>) {
  const held = await hold(ctx, id, 'merge')
  const found = await sql<Item>`select ${facts} from library_item i
    where i.id = ${intoId} and i.id <> ${id} and ${isOffered} for update of i`.execute(ctx.tx)
  const target = found.rows[0] ?? refuse('library.noTarget')
  const { brand, specification, unit, manufacturer, category, remark, picture, pictures } = merged<Item>(target, held)
  await sql`update library_item set brand = ${brand}, specification = ${specification}, unit = ${unit},
      manufacturer = ${manufacturer}, category = ${category}, remark = ${remark}, picture = ${picture},
      pictures = ${pictures}::text[], version = version + 1
    where id = ${intoId}`.execute(ctx.tx)
  await sql`update library_barcode set item_id = ${intoId} where item_id = ${id}`.execute(ctx.tx)
  const state = await additions.move(ctx.tx, held, 'merge', {
    ...judgedBy(ctx),
    mergedInto: intoId,
    reason: target.name.slice(0, 200),
  })
  if (held.productId !== null) await tie(ctx.tx, held.productId, intoId)
  await audit(ctx, held, { state: held.state }, { state, mergedInto: intoId })
  return { id, state }
}

/** Its numbers are free for who enters them better. */
export async function ignore(ctx: CommandContext, { id, reason }: InputOf<typeof ignoreAddition>) {
  const held = await hold(ctx, id, 'ignore')
  await sql`delete from library_barcode where item_id = ${id}`.execute(ctx.tx)
  const state = await additions.move(ctx.tx, held, 'ignore', { ...judgedBy(ctx), reason })
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}
