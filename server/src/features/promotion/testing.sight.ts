import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { markdowns: 'merchant', 'promotion-plans': 'merchant' },
  fields: {
    'promotion.markDownBatches.ids': 'expiring-batches',
    'promotion.addMarkdown.productId': null,
    // plan.test.ts asks about those of others.
    'promotion.addPlan.machineIds': null,
    'promotion.editPlan.machineIds': null,
    'promotion.addPlan.groupIds': null,
    'promotion.editPlan.groupIds': null,
    categoryIds: null,
  },
  given: {
    'promotion.addPlan': { kind: 'rate', paidPercent: 80, startsOn: null, endsOn: null, fromTime: null, toTime: null },
    'promotion.editPlan': { kind: 'rate', paidPercent: 80, startsOn: null, endsOn: null, fromTime: null, toTime: null },
  },
  // Of products of the line, those above too (markdown.test.ts asks); a made-up one is not there.
  nothingThere: ['promotion.addMarkdown'],
  rows: {
    markdowns: (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into markdown (merchant_id, product_id, paid_percent, is_everywhere, starts_at, reason, created_at)
          values (${merchantId}, ${machines[0]?.slots[0]?.productId}, 80, true, ${at}::timestamptz + interval '90 days',
            ${`${mark} stock`}, ${at})`,
      ),
    'promotion-plans': (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`with own as (
            select nextval(pg_get_serial_sequence('promotion_plan', 'id')) as id,
              nextval(pg_get_serial_sequence('promotion_plan_version', 'id')) as version_id
          ), said as (
            insert into promotion_plan_version (id, plan_id, number, kind, priority, stacks, paid_percent,
              is_first_purchase, created_at)
            select version_id, id, 1, 'rate', 5, false, 80, false, ${at} from own)
          insert into promotion_plan (id, merchant_id, name, version_id, created_at)
          select id, ${merchantId}, ${`${mark} plan`}, version_id, ${at} from own`,
      ),
  },
}
