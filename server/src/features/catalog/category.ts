import * as contract from '@aisle/contract/catalog/category'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { only } from '../../kernel/must'
import { refusal, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf, subtreeOf } from '../../kernel/scope'

const categories = kept(contract.category, {
  table: 'category',
  facts: (sight) => ({
    sort: sql`category.sort`,
    productCount: sql`(select count(*)::int from product p
      where p.category_id = category.id and ${merchantInSight(sight, sql`p.merchant_id`)})`,
  }),
  search: ['name'],
  columns: async (ctx, _, row) => ({ sort: row.sort ?? (await behindAll(ctx, row.merchantId)) }),
  uses: (id) => sql`
    select name from category where parent_id = ${id}
    union all select name from product where category_id = ${id}
    union all select p.name from product_condition c join product p on p.id = c.product_id where c.category_id = ${id}
    order by 1`,
})

export const routes: Route[] = [
  query(contract.listTree, listTree),
  query(contract.listProductClasses, listProductClasses),
  query(contract.listCategoryChoices, listChoices),
  query(contract.getCategory, categories.get),
  command(contract.addCategory, addCategory),
  command(contract.editCategory, categories.edit),
  command(contract.moveCategory, moveCategory),
  command(contract.removeCategory, categories.remove),
]

async function listTree(ctx: QueryContext, { tree, merchantId }: InputOf<typeof contract.listTree>) {
  const sight = sightOf(ctx.actor)
  const found = await sql<contract.Branch>`
    with recursive walk as (
      select c.*, array[]::bigint[] as above, array[row(owner.name, c.merchant_id, c.sort, c.name, c.id)::text] as place
      from category c join merchant owner on owner.id = c.merchant_id
      where c.tree = ${sql.lit(tree)} and c.parent_id is null and ${merchantInSight(sight, sql`c.merchant_id`)}
        ${merchantId ? sql`and c.merchant_id in (${subtreeOf(merchantId)})` : sql``}
      union all
      select c.*, w.above || w.id, w.place || row('', 0, c.sort, c.name, c.id)::text
      from walk w join category c on c.parent_id = w.id
    ), held as (
      select t.id, count(distinct p.id)::int as count
      from walk w cross join lateral unnest(w.above || w.id) t (id)
      join lateral (
        select id from product where category_id = w.id and ${merchantInSight(sight, sql`product.merchant_id`)}
        union all
        select product_id from product_condition x join product on product.id = x.product_id
        where x.category_id = w.id and ${merchantInSight(sight, sql`product.merchant_id`)}
      ) p on true group by t.id)
    select w.id, w.merchant_id as "merchantId", m.name as "merchantName", w.parent_id as "parentId", w.name, w.picture,
      w.remark, w.sort, w.version, coalesce(h.count, 0) as "productCount"
    from walk w join merchant m on m.id = w.merchant_id left join held h on h.id = w.id
    order by m.name, w.merchant_id, cardinality(w.above), w.sort, w.name, w.id limit 5000`.execute(ctx.db)
  return { items: found.rows }
}

async function listProductClasses(ctx: QueryContext, asked: InputOf<typeof contract.listProductClasses>) {
  const { yclx, merchantId } = asked
  const { items } = await listTree(ctx, { tree: yclx, merchantId })
  return { items: items.map(({ id, name, productCount }) => ({ ycid: id, yclx, ycmc: name, ycsl: productCount })) }
}

/** Of the merchant asked for, or whoever is in sight, with all above; one out of sight has none. */
async function listChoices(ctx: QueryContext, { merchantId }: InputOf<typeof contract.listCategoryChoices>) {
  const sight = sightOf(ctx.actor)
  const asked = merchantId ? sql`m.id = ${merchantId}` : sql`true`
  const found = await sql<{ id: number; tree: contract.CategoryTree; parentId: number | null; name: string }>`
    with recursive owner as (
      select distinct unnest(m.path) as id from merchant m where ${asked} and ${merchantInSight(sight, sql`m.id`)}
    ), walk as (
      select c.id, c.tree, c.parent_id, c.name, 1 as depth, array[row(c.sort, c.name, c.id)::text] as place
      from category c join owner on owner.id = c.merchant_id where c.parent_id is null
      union all
      select c.id, c.tree, c.parent_id, c.name, w.depth + 1, w.place || row(c.sort, c.name, c.id)::text
      from walk w join category c on c.parent_id = w.id)
    select w.id, w.tree, w.parent_id as "parentId", w.name from walk w
    order by w.tree, w.depth, w.place, w.id limit 5000`.execute(ctx.db)
  return { items: found.rows }
}

/** A place behind all that the merchant has, and so behind its siblings. */
const behindAll = async ({ tx }: CommandContext, merchantId: number): Promise<number> =>
  only(
    await sql<{ sort: number }>`select coalesce(max(sort), 0) + 1 as sort from category
      where merchant_id = ${merchantId}`.execute(tx),
  ).sort

const keepsTree = <T>(write: Promise<T>): Promise<T> =>
  [
    ['category_ring', 'category.belowItself'] as const,
    ['category_depth', 'category.tooDeep'] as const,
    ['category_parent_id_merchant_id_tree_fkey', 'category.otherTree'] as const,
    ['category_name_key', 'category.nameTaken'] as const,
  ].reduce(
    (asked, [constraint, code]) => refusedBy(constraint, asked, () => refusal(code, { most: contract.DEEPEST })),
    write,
  )

/** Of a parent out of sight nothing is said but that it is not there. */
async function refuseUnseen(ctx: CommandContext, ids: readonly (number | null)[]): Promise<void> {
  for (const id of ids) if (id !== null) await categories.load(ctx, id)
}

async function addCategory(ctx: CommandContext, input: InputOf<typeof contract.addCategory>) {
  await refuseUnseen(ctx, [input.parentId])
  return keepsTree(categories.add(ctx, input))
}

async function moveCategory(ctx: CommandContext, input: InputOf<typeof contract.moveCategory>) {
  const { id, parentId, before } = input
  const row = await categories.load(ctx, id)
  await refuseUnseen(ctx, [parentId, before])
  if (before === id) refuse('category.belowItself')
  await keepsTree(
    sql`update category set parent_id = ${parentId}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  // Counted anew from the first, so that no two share a place.
  await sql`update category c set sort = s.n from (
      select id, row_number() over (order by place, moved, sort, name, id) as n from (
        select x.id, x.name, x.sort, x.id <> ${id} as moved,
          case when x.id = ${id} then coalesce((select sort from category where id = ${before}
            and parent_id is not distinct from ${parentId}), 2147483647)
            else x.sort end as place
        from category x where x.merchant_id = ${row.merchantId} and x.tree = ${row.tree}
          and x.parent_id is not distinct from ${parentId}) placed) s
    where c.id = s.id and c.sort <> s.n`.execute(ctx.tx)
  const place = (parent: unknown) => ({ parentId: parent })
  await categories.audit(ctx, row, place(row.parentId), { ...place(parentId), before })
  return { id }
}
