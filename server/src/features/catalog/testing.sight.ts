import { libraryState } from '@aisle/contract/catalog/library'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    products: 'merchant',
    categories: 'merchant',
    'library-items': 'platform',
    'library-additions': 'merchant',
    'library-changes': 'merchant',
  },
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
    // Everybody’s to copy; the matrix asks with rows of merchants.
    'catalog.copyLibraryItems.ids': null,
    'catalog.mergeAddition.intoId': null,
    'catalog.offerProducts.ids': 'products',
  },
  showsAbove: ['catalog.listCategoryChoices'],
  given: {
    'catalog.addCategory': { tree: 'goods', parentId: null },
    'catalog.moveCategory': { parentId: null, before: null },
    'catalog.copyLibraryItems': { codePrefix: 'X' },
    'catalog.addProduct': { categoryId: null, conditionIds: [] },
    'catalog.editProduct': { categoryId: null, conditionIds: [] },
  },
  nothingThere: [
    'catalog.getLibraryItem',
    'catalog.editLibraryItem',
    'catalog.removeLibraryItem',
    'catalog.copyLibraryItem',
  ],
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
    /** Nobody's yet: what is offered is everybody's, whose rows no walk can tell apart (library.test.ts asks). */
    'library-items': (db) =>
      inserted(
        db,
        sql`insert into library_item (name, state) select 'item ' || n, ${sql.lit(libraryState.initial)}
          from generate_series(1, 2) n`,
      ),
    'library-additions': addAddition,
    'library-changes': addChange,
  },
}

async function addAddition(db: Reader, { merchantId, mark }: BranchBase): Promise<number> {
  const userId = await inserted(
    db,
    sql`insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, left(md5(${mark} || 'offers'), 16), ${mark}, 'ordinary')`,
  )
  return inserted(
    db,
    sql`insert into library_item (name, state, picture, merchant_id, offered_by)
      select ${mark} || ' addition ' || n, ${sql.lit(libraryState.to('addPicture'))}, '/pictures/a.png',
        ${merchantId}, ${userId} from generate_series(1, 2) n`,
  )
}

/** Two products that came from an item which is called otherwise by now. */
async function addChange(db: Reader, { merchantId, mark }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`with item as (
      insert into library_item (name, state, picture, version)
      values ('changed', ${sql.lit(libraryState.to('check'))}, '/pictures/a.png', 2) returning id),
    copies as (
      insert into product (merchant_id, code, name, kind, cost_fen, price_fen)
      select ${merchantId}, 'L' || left(md5(${mark} || n), 12), ${mark} || ' copy ' || n, 'goods', 100, 200
      from generate_series(1, 2) n returning id)
    insert into product_origin (product_id, item_id, version, seen)
    select copies.id, item.id, 1, '{}'::jsonb from copies, item returning product_id as id`.execute(db)
  return made.rows[0]?.id ?? 0
}
