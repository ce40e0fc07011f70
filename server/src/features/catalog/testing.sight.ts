import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { products: 'merchant', categories: 'merchant' },
  fields: {
    // A merchant uses those above, too, and of its own tree alone (catalog/catalog.test.ts asks).
    'catalog.addProduct.categoryId': null,
    'catalog.editProduct.categoryId': null,
    'catalog.listProducts.categoryId': null,
    'catalog.addCategory.parentId': null,
    'catalog.moveCategory.parentId': null,
    'catalog.moveCategory.before': null,
    // Of the tree of conditions; the family's row is one of goods.
    conditionIds: null,
    conditionId: null,
  },
  given: {
    'catalog.addCategory': { tree: 'goods', parentId: null },
    'catalog.moveCategory': { parentId: null, before: null },
    'catalog.addProduct': { categoryId: null, conditionIds: [] },
    'catalog.editProduct': { categoryId: null, conditionIds: [] },
  },
  rows: {
    products: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into product (merchant_id, code, name, kind, cost_fen, price_fen)
          select ${merchantId}, 'S' || left(md5(${mark} || n), 12), ${mark} || ' product ' || n, 'goods', 100, 200
          from generate_series(1, 2) n`,
      ),
    categories: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into category (merchant_id, tree, name)
          select ${merchantId}, 'goods', left(${mark} || ' category ' || n, 40) from generate_series(1, 2) n`,
      ),
  },
}
