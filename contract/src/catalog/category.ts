import { z } from 'zod'
import { endpoint, zId, zLine, zNeeded, zPictureUrl } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'

export const categoryTrees = ['goods', 'medicine', 'combination', 'condition'] as const
export type CategoryTree = (typeof categoryTrees)[number]

/** How many levels a tree has at most; the database holds it there. */
export const DEEPEST = 4

export const categoryRefusals = defineRefusals('catalog', {
  'category.nameTaken': 409,
  'category.belowItself': 409,
  'category.tooDeep': 409,
  'category.otherTree': 409,
})

export const category = entity({
  domain: 'catalog',
  kind: 'category',
  path: '/api/categories',
  right: 'category',
  owner: 'merchant',
  fixed: { tree: z.enum(categoryTrees), parentId: zId.nullable().default(null) },
  editable: { name: zNeeded(40), picture: zPictureUrl.nullable().default(null), remark: zLine(200).default('') },
  facts: { sort: z.int(), productCount: z.int() },
  show: { picture: { kind: 'image' }, remark: { kind: 'longText' } },
  unique: { category_name_key: 'category.nameTaken' },
  filters: {},
  sorts: ['name'],
})

export const getCategory = category.get('One category with how many products it holds', {})
export const addCategory = category.add('Add a category to a tree, at its root or below another', [
  'category.tooDeep',
  'category.otherTree',
])
export const editCategory = category.edit('Change the name, picture or remark of a category')
/** In the order that the person sees: `before` is the sibling that it comes to stand before, null the end. */
export const moveCategory = category.verb(
  'moveCategory',
  '/{id}/move',
  { id: zId, parentId: zId.nullable(), before: zId.nullable() },
  'Put a category, with all below it, at another place of its tree',
  ['category.belowItself', 'category.tooDeep', 'category.otherTree', 'category.nameTaken'],
)
export const removeCategory = category.remove('Delete a category that holds neither categories nor products')

const branch = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  parentId: z.int().nullable(),
  name: z.string(),
  picture: z.string().nullable(),
  remark: z.string(),
  sort: z.int(),
  version: z.int(),
  /** Of products in sight, its own and those of all below. */
  productCount: z.int(),
})
export type Branch = z.output<typeof branch>

/** A whole tree, parents before their children, siblings in order; small by nature, so it comes at once. */
export const listTree = endpoint({
  name: 'catalog.listTree',
  method: 'GET',
  path: '/api/category-trees',
  access: 'category.read',
  input: z.strictObject({ tree: z.enum(categoryTrees), merchantId: zId.optional() }),
  output: z.object({ items: z.array(branch) }),
  summary: 'A tree of categories of the merchants in sight, with the products that each branch holds',
})

/**
 * What a product may be sorted into: the categories of its merchant and of those above, parents before their children.
 * Without a merchant, all that products in sight may have.
 */
export const listCategoryChoices = endpoint({
  name: 'catalog.listCategoryChoices',
  method: 'GET',
  path: '/api/category-choices',
  access: 'product.read',
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({
    items: z.array(
      z.object({ id: z.int(), tree: z.enum(categoryTrees), parentId: z.int().nullable(), name: z.string() }),
    ),
  }),
  summary: 'Categories that a product of a merchant may have: its own and those of the merchants above',
})

/** The tree in the names that the specification gives its items (section 3): id, kind of tree, name, count. */
export const listProductClasses = endpoint({
  name: 'catalog.listProductClasses',
  method: 'GET',
  path: '/api/product-classes',
  access: 'category.read',
  input: z.strictObject({ yclx: z.enum(categoryTrees).default('goods'), merchantId: zId.optional() }),
  output: z.object({
    items: z.array(z.object({ ycid: z.int(), yclx: z.enum(categoryTrees), ycmc: z.string(), ycsl: z.int() })),
  }),
  summary: 'The product-class tree of the specification: each class with how many products it holds',
})
