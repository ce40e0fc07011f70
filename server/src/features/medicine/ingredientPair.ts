import type { InputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/ingredientPair'
import { sql } from 'kysely'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { platformOnly, platformRow } from '../../kernel/scope'

const pairs = kept(contract.ingredientPair, {
  table: 'ingredientPair',
  facts: () => ({
    medicineCount: sql`(select count(*)::int from medicine m
      where ingredient_pair.first = any(m.ingredients) or ingredient_pair.second = any(m.ingredients))`,
  }),
  search: ['first', 'second', 'remark'],
})

export const routes: Route[] = [
  ...listOf(contract.listIngredientPairs, pairs.list),
  query(contract.getIngredientPair, (ctx, input) => {
    platformRow(ctx)
    return pairs.get(ctx, input)
  }),
  command(contract.addIngredientPair, (ctx, input) => {
    platformOnly(ctx)
    return pairs.add(ctx, inOrder(input))
  }),
  command(contract.editIngredientPair, (ctx, input) => {
    platformRow(ctx)
    return pairs.edit(ctx, inOrder(input))
  }),
  command(contract.removeIngredientPair, (ctx, input) => {
    platformRow(ctx)
    return pairs.remove(ctx, input)
  }),
]

type Typed = Pick<InputOf<typeof contract.addIngredientPair>, 'first' | 'second'>

/** The lesser name stands first, so that no pair stands there twice. */
function inOrder<I extends Typed>(input: I): I {
  const [first = '', second = ''] = [input.first, input.second].sort((a, b) => (a < b ? -1 : 1))
  if (first === second) refuse('pair.same')
  return { ...input, first, second }
}
