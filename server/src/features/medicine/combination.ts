import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/combination'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { withBelow } from '../catalog/public'
import { findingsOf } from './combination.rules'
import { findPieces, goodsOf, pairsAmong, putItems } from './combination.store'

/** The job of planogram that tells machines which sets they offer. */
export const PUSH_SETS = 'planogram.pushSets'

type Typed = Pick<InputOf<typeof contract.addCombination>, 'items' | 'priceFen' | 'categoryId'>

const ofItems = sql`from combination_item i join product p on p.id = i.product_id
  where i.combination_id = combination.id`

const combinations = kept(contract.combination, {
  table: 'combination',
  joins: () => sql`left join category on category.id = combination.category_id`,
  facts: () => ({
    categoryName: sql`category.name`,
    itemNames: sql`(select string_agg(p.name || case when i.quantity > 1 then ' ×' || i.quantity else '' end, ' + '
      order by p.name, p.id) ${ofItems})`,
    medicineClass: sql`(select (array_agg(p.medicine_class
      order by array_position(array['rx', 'otc_a', 'otc_b'], p.medicine_class)))[1] ${ofItems})`,
    listFen: sql`(select coalesce(sum(p.price_fen * i.quantity), 0)::bigint ${ofItems})`,
  }),
  shown: {
    items: sql`coalesce((select json_agg(json_build_object('productId', i.product_id, 'quantity', i.quantity)
      order by p.name, p.id) ${ofItems}), '[]')`,
  },
  search: ['name', 'itemNames'],
  where: { categoryId: (id) => sql`"categoryId" in (${withBelow(id)})` },
  orders: { price: { by: sql`"priceFen"`, type: 'bigint' } },
  uses: (id) => sql`select n.order_no as name from order_price_step s join order_number n on n.order_id = s.order_id
    where s.kind = 'combination' and s.reference = ${id}`,
})

export const routes: Route[] = [
  ...listOf(contract.listCombinations, combinations.list),
  query(contract.getCombination, getCombination),
  query(contract.checkCombination, check),
  command(contract.addCombination, async (ctx, input) => {
    await refuseWrong(ctx, input.merchantId, input)
    const { id } = await combinations.add(ctx, input)
    await putItems(ctx.tx, id, input.items)
    await tell(ctx, await goodsOf(ctx.tx, id))
    return { id }
  }),
  command(contract.editCombination, async (ctx, input) => {
    const { id, merchantId } = await combinations.load(ctx, input.id)
    await refuseWrong(ctx, merchantId, input)
    const before = await goodsOf(ctx.tx, id)
    await combinations.edit(ctx, input)
    await putItems(ctx.tx, id, input.items)
    await tell(ctx, before)
    await tell(ctx, await goodsOf(ctx.tx, id))
    return { id }
  }),
  command(contract.stopCombination, telling(combinations.move('stop'))),
  command(contract.resumeCombination, telling(combinations.move('resume'))),
  command(contract.removeCombination, telling(combinations.remove)),
]

type Goods = Awaited<ReturnType<typeof goodsOf>>

/** Machines in which any of it stands offer other sets by it, or one no more. */
async function tell({ tx }: CommandContext, goods: Goods): Promise<void> {
  if (!goods) return
  await addJob(tx, PUSH_SETS, { merchantId: goods.merchantId, productIds: goods.productIds.join() })
}

function telling<I extends { id: number }, O>(verb: (ctx: CommandContext, input: I) => Promise<O>) {
  return async (ctx: CommandContext, input: I): Promise<O> => {
    const goods = await goodsOf(ctx.tx, input.id)
    const answer = await verb(ctx, input)
    await tell(ctx, goods)
    return answer
  }
}

async function getCombination(
  ctx: QueryContext,
  { id }: { id: number },
): Promise<OutputOf<typeof contract.getCombination>> {
  const found = await combinations.get(ctx, { id })
  const pieces = await findPieces(ctx.db, found.merchantId, found.items)
  const shown = pieces.map(({ productId, code, name, medicineClass, quantity, priceFen }) => ({
    productId,
    code,
    name,
    medicineClass,
    quantity,
    priceFen,
  }))
  return { ...found, pieces: shown, findings: findingsOf(pieces, await pairsAmong(ctx.db, pieces)) }
}

/** For the merchant of the form, or the own one until it is chosen. */
async function check(
  ctx: QueryContext,
  { merchantId = ctx.actor.merchantId, items }: InputOf<typeof contract.checkCombination>,
) {
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
  const pieces = await findPieces(ctx.db, merchantId, items)
  const listFen = pieces.reduce((sum, { priceFen, quantity }) => sum + priceFen * quantity, 0)
  return { listFen, findings: findingsOf(pieces, await pairsAmong(ctx.db, pieces)) }
}

async function refuseWrong(
  ctx: CommandContext,
  merchantId: number,
  { items, priceFen, categoryId }: Typed,
): Promise<void> {
  if (new Set(items.map(({ productId }) => productId)).size < items.length) refuse('combination.itemTwice')
  if (items.reduce((sum, { quantity }) => sum + quantity, 0) < 2) refuse('combination.onePiece')
  const pieces = await findPieces(ctx.tx, merchantId, items)
  if (pieces.length < items.length) refuse('combination.itemUnknown')
  const listFen = pieces.reduce((sum, piece) => sum + piece.priceFen * piece.quantity, 0)
  if (priceFen > listFen) refuse('combination.tooDear', { most: (listFen / 100).toFixed(2) })
  if (categoryId === null) return
  const found = await sql`select from category c join merchant own on own.id = ${merchantId}
    where c.id = ${categoryId} and c.tree = 'combination' and c.merchant_id = any(own.path)`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('combination.categoryUnknown')
}
