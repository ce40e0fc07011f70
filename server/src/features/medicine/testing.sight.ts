import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

const medicine = (merchantId: number, mark: string) => sql`
  product as (insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
    values (${merchantId}, 'B' || left(md5(${mark} || random()), 12), ${mark} || ' medicine', 'medicine', 'otc_b', 1, 2)
    returning id)`

const batch = (mark: string, at: Date) => sql`
  batch as (insert into medicine_batch (product_id, number, expires_on, changed_at)
    select id, ${mark}, '2099-01-01', ${at} from product returning id)`

export const sight: SightCells = {
  hangsOn: {
    medicines: 'merchant',
    'real-name-limits': 'merchant',
    'ingredient-pairs': 'platform',
    combinations: 'merchant',
    'medicine-offers': 'merchant',
    'care-tasks': 'machine',
    'expiring-batches': 'machine',
    'medicine-batches': 'merchant',
    recalls: 'merchant',
    'recall-targets': 'machine',
    'trace-codes': 'merchant',
    'trace-uploads': 'merchant',
  },
  fields: {
    'medicine.addBatch.productId': 'products',
    'medicine.listBatches.productId': 'products',
    'medicine.listBatchPlaces.batchId': 'medicine-batches',
    'medicine.listProductBatches.productId': 'products',
    'medicine.listRecalls.batchId': 'medicine-batches',
    'medicine.addRecall.batchId': 'medicine-batches',
    recallId: 'recalls',
    'medicine.scrapBatch.placeId': null,
    // Of the task that is named beside it; another's is not there (care.test.ts asks).
    'medicine.correctCare.record': null,
    'medicine.lockExpiring.ids': 'expiring-batches',
    'medicine.addMedicine.categoryId': null,
    'medicine.editMedicine.categoryId': null,
    'medicine.listMedicines.categoryId': null,
    // Of the tree of combinations; the family's row is one of goods.
    'medicine.addCombination.categoryId': null,
    'medicine.editCombination.categoryId': null,
    'medicine.listCombinations.categoryId': null,
    // Medicines of the merchant's line (combination.test.ts and offer.test.ts ask).
    'medicine.addMedicineOffer.productId': null,
  },
  // What a merchant above made for all below to sell lies in their machines.
  showsAbove: [
    'medicine.listBatches',
    'medicine.getBatch',
    'medicine.listBatchPlaces',
    'medicine.listProductBatches',
    'medicine.listRecalls',
    'medicine.getRecall',
    'medicine.getRecallProof',
    'medicine.listRecallTargets',
    'medicine.listRecallOrders',
    'medicine.scrapBatch',
  ],
  answersAbove: ['medicine.getBatch', 'medicine.scrapBatch', 'medicine.getRecall', 'medicine.getRecallProof'],
  given: {
    'medicine.putTraceAccount': { address: 'https://platform.example.com/traces' },
    'medicine.addMedicine': { categoryId: null, conditionIds: [] },
    'medicine.editMedicine': { categoryId: null, conditionIds: [] },
  },
  platformsAlone: {
    'medicine.addIngredientPair': 'request.notPermitted',
  },
  // No record of the family's tasks is signed.
  nothingThere: ['medicine.correctCare'],
  rows: {
    'trace-codes': (db, { merchantId, mark }) => traced(db, merchantId, mark),
    'trace-uploads': async (db, { merchantId, mark }) => {
      const id = await traced(db, merchantId, `${mark} upload`)
      const made = await sql<{ id: number }>`select id from trace_upload where trace_code_id = ${id}`.execute(db)
      return made.rows[0]?.id ?? 0
    },
    'medicine-batches': (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`with ${medicine(merchantId, mark)} insert into medicine_batch (product_id, number, expires_on, changed_at)
          select id, ${mark}, '2099-01-01', ${at} from product`,
      ),
    recalls: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`with ${medicine(merchantId, mark)}, ${batch(mark, at)}
          insert into recall (merchant_id, batch_id, class, is_drill, state, reason, created_at, started_at, due_at)
          select ${merchantId}, id, 'i', true, 'active', ${mark}, ${at}, ${at}, ${at} from batch`,
      ),
    'recall-targets': async (db, { merchantId, machines, mark, idOf }) => {
      const recallId = await idOf('recalls')
      return inserted(
        db,
        sql`insert into recall_target (recall_id, place_id, kind, machine_id, slot_code, merchant_id, book, note)
          select distinct on (s.machine_id) ${recallId}::bigint, s.place_id, 'slot', s.machine_id, s.code,
            ${merchantId}::bigint, 1, ${mark}
          from slot s where s.machine_id = any(${machines.map(({ id }) => id)}::bigint[])`,
      )
    },
    combinations: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into combination (merchant_id, name, price_fen, created_at)
          select ${merchantId}, ${mark} || ' set ' || n, 100, ${at} from generate_series(1, 2) n`,
      ),
    'medicine-offers': async (db, { merchantId, mark, at }) => {
      const productId = await inserted(
        db,
        sql`insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
          values (${merchantId}, ${`${mark}OFFER`}, ${`${mark} offered`}, 'medicine', 'otc_b', 1, 2)`,
      )
      return inserted(
        db,
        sql`insert into medicine_offer (merchant_id, product_id, created_at)
          values (${merchantId}, ${productId}, ${at})`,
      )
    },
    'real-name-limits': (db, { merchantId }) =>
      inserted(
        db,
        sql`insert into real_name_limit (merchant_id, limit_group, packs, days)
          values (${merchantId}, 'ephedrine', 1, 9)`,
      ),
    'ingredient-pairs': (db, { merchantId }) =>
      inserted(
        db,
        sql`insert into ingredient_pair (first, second) values ('a' || ${merchantId}, 'b' || ${merchantId})`,
      ),
    medicines: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
          select ${merchantId}, 'M' || left(md5(${mark} || n), 12),
            ${mark} || ' medicine ' || n, 'medicine', 'otc_b', 1, 2
          from generate_series(1, 2) n`,
      ),
    'expiring-batches': (db, { machines, mark, at }) =>
      inserted(
        db,
        sql`with batch as (insert into medicine_batch (product_id, number, expires_on, changed_at)
            values (${machines[0]?.slots[0]?.productId}, ${`${mark} old`}, ${at}, ${at}) returning product_id, number)
          insert into batch_level (place_id, product_id, batch, quantity)
          select place_id, batch.product_id, batch.number, 3 from batch,
            unnest(${machines.flatMap(({ slots }) => slots.slice(0, 1).map(({ placeId }) => placeId))}::bigint[])
              as place_id`,
      ),
    'care-tasks': async (db, { merchantId, machines, mark, at }) => {
      const productId = await inserted(
        db,
        sql`insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
          values (${merchantId}, ${`${mark}CARE`}, ${`${mark} tablets`}, 'medicine', 'otc_b', 200, 500)`,
      )
      const batchId = await inserted(
        db,
        sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
          values (${productId}, ${`${mark}1`}, '2028-01-01', ${at})`,
      )
      return inserted(
        db,
        sql`insert into care_task (batch_id, machine_id, kind, since, due_on, created_at)
          select ${batchId}, id, 'normal', ${at}, ${at}::timestamptz + interval '1 day', ${at}
          from unnest(${machines.map(({ id }) => id)}::bigint[]) as id`,
      )
    },
  },
}

/** A pack that was received, and what the regulator's platform has to be told of it. */
async function traced(db: Reader, merchantId: number, mark: string): Promise<number> {
  await sql`insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
    values (${merchantId}, 'T' || left(md5(${mark}), 12), ${mark} || ' traced', 'medicine', 'otc_b', 1, 2)
    on conflict do nothing`.execute(db)
  const id = await inserted(
    db,
    sql`insert into trace_code (code, scheme, merchant_id, product_id, batch, state, added_at, changed_at)
      select ${mark} || ' code', 'other', ${merchantId}, id, 'B', 'in_stock', now(), now() from product
      where merchant_id = ${merchantId} and code = 'T' || left(md5(${mark}), 12)`,
  )
  await sql`insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, product_id, batch, reference)
    select id, merchant_id, 'receive', now(), now(), product_id, batch, ${mark} from trace_code
    where id = ${id}`.execute(db)
  return id
}
