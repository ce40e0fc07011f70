import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { products: 'merchant', categories: 'merchant' },
  fields: {
    categoryId: 'categories',
    parentId: 'categories',
    // Of the tree of conditions; the family's row is one of goods (catalog/catalog.test.ts asks).
    conditionIds: null,
    conditionId: 'categories',
    usableBy: null,
    before: 'categories',
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
