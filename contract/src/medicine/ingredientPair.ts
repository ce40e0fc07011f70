import { z } from 'zod'
import { zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { zIngredient } from './medicine'

export const pairRefusals = defineRefusals('medicine', {
  'pair.taken': 409,
  'pair.same': 422,
})

/** Two ingredients that one person should not have together; kept by the platform for all. */
export const ingredientPair = entity({
  domain: 'medicine',
  kind: 'ingredientPair',
  path: '/api/ingredient-pairs',
  right: 'medicine',
  owner: 'platform',
  editable: { first: zIngredient, second: zIngredient, remark: zLine(200).default('') },
  facts: { medicineCount: z.int() },
  show: { remark: { kind: 'longText' } },
  unique: { ingredient_pair_first_second_key: 'pair.taken' },
  filters: { q: zSearch.optional() },
  sorts: ['first'],
})

const refusals = ['pair.same', 'request.notPermitted']
export const listIngredientPairs = ingredientPair.list('Pairs of ingredients that must not meet')
export const getIngredientPair = ingredientPair.get('One pair of ingredients', {})
export const addIngredientPair = ingredientPair.add('Say that two ingredients must not meet', refusals)
export const editIngredientPair = ingredientPair.edit('Change a pair of ingredients', ['pair.same'])
export const removeIngredientPair = ingredientPair.remove('Say it no longer', [])
