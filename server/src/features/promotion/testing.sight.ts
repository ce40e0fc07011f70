import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

const tenOff = { kind: 'rate', paidPercent: 80, startsOn: null, endsOn: '2027-01-01' }

export const sight: SightCells = {
  hangsOn: {
    markdowns: 'merchant',
    'promotion-plans': 'merchant',
    'coupon-plans': 'merchant',
    'coupon-issues': 'merchant',
    coupons: 'merchant',
    'code-plans': 'merchant',
    'code-batches': 'merchant',
    'promotion-codes': 'merchant',
    campaigns: 'merchant',
  },
  fields: {
    'promotion.markDownBatches.ids': 'expiring-batches',
    'promotion.addMarkdown.productId': null,
    // plan.test.ts asks about those of others.
    'promotion.addPlan.machineIds': null,
    'promotion.editPlan.machineIds': null,
    'promotion.addPlan.groupIds': null,
    'promotion.editPlan.groupIds': null,
    'promotion.addCouponPlan.machineIds': null,
    'promotion.editCouponPlan.machineIds': null,
    'promotion.addCouponPlan.groupIds': null,
    'promotion.editCouponPlan.groupIds': null,
    'promotion.addCodePlan.machineIds': null,
    'promotion.editCodePlan.machineIds': null,
    'promotion.addCodePlan.groupIds': null,
    'promotion.editCodePlan.groupIds': null,
    'promotion.issueCoupons.planId': 'coupon-plans',
    'promotion.previewIssue.planId': 'coupon-plans',
    'promotion.listCoupons.planId': 'coupon-plans',
    'promotion.listCoupons.batchId': 'coupon-issues',
    'promotion.listCodes.planId': 'code-plans',
    'promotion.listCodes.batchId': 'code-batches',
    // Members and organisations of the plan's own merchant, whatever is asked for (voucher.test.ts).
    'promotion.issueCoupons.memberIds': null,
    'promotion.previewIssue.memberIds': null,
    'promotion.issueCoupons.unitId': null,
    'promotion.previewIssue.unitId': null,
    // Plans and machines of the campaign's own merchant (campaign.test.ts).
    'promotion.addCampaign.planIds': null,
    'promotion.editCampaign.planIds': null,
    'promotion.addCampaign.controlIds': null,
    'promotion.editCampaign.controlIds': null,
    categoryIds: null,
  },
  given: {
    'promotion.addPlan': { kind: 'rate', paidPercent: 80, startsOn: null, endsOn: null, fromTime: null, toTime: null },
    'promotion.editPlan': { kind: 'rate', paidPercent: 80, startsOn: null, endsOn: null, fromTime: null, toTime: null },
    'promotion.addCouponPlan': tenOff,
    'promotion.editCouponPlan': tenOff,
    'promotion.addCodePlan': tenOff,
    'promotion.editCodePlan': tenOff,
    'promotion.addCampaign': { startsOn: '2027-01-01', endsOn: '2027-01-14', controlIds: [] },
    'promotion.editCampaign': { startsOn: '2027-01-01', endsOn: '2027-01-14', controlIds: [] },
    'promotion.issueCoupons': { audience: 'bearer', count: 1 },
    'promotion.previewIssue': { audience: 'bearer', count: 1 },
    'promotion.releaseCoupons': { fromSerial: 1, toSerial: 1 },
    'promotion.releaseCodes': { fromSerial: 1, toSerial: 1 },
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
    'promotion-plans': (db, branch) => addPlan(db, branch, null),
    campaigns: async (db, branch) => addCampaign(db, branch, await branch.idOf('promotion-plans')),
    'coupon-plans': (db, branch) => addPlan(db, branch, 'coupon'),
    'code-plans': (db, branch) => addPlan(db, branch, 'code'),
    'coupon-issues': async (db, branch) => addBatch(db, branch, 'bearer', await branch.idOf('coupon-plans')),
    'code-batches': async (db, branch) => addBatch(db, branch, 'codes', await branch.idOf('code-plans')),
    coupons: async (db, branch) => addVouchers(db, branch, 'coupon', await branch.idOf('coupon-issues')),
    'promotion-codes': async (db, branch) => addVouchers(db, branch, 'code', await branch.idOf('code-batches')),
  },
}

type Kind = 'coupon' | 'code'

const addPlan = (db: Reader, { merchantId, mark, at }: BranchBase, kind: Kind | null): Promise<number> =>
  inserted(
    db,
    sql`with own as (
        select nextval(pg_get_serial_sequence('promotion_plan', 'id')) as id,
          nextval(pg_get_serial_sequence('promotion_plan_version', 'id')) as version_id
      ), said as (
        insert into promotion_plan_version (id, plan_id, number, kind, priority, stacks, paid_percent,
          is_first_purchase, ends_on, is_returned, created_at)
        select version_id, id, 1, 'rate', 5, false, 80, false,
          case when ${kind}::text is not null then ${at}::date + 30 end,
          case when ${kind}::text is not null then true end, ${at} from own
      ), counted as (insert into voucher_tally (plan_id) select id from own where ${kind}::text is not null)
      insert into promotion_plan (id, merchant_id, name, voucher_kind, version_id, created_at)
      select id, ${merchantId}, ${`${mark} plan ${kind ?? ''}`}, ${kind}, version_id, ${at} from own`,
  )

/** A draft: it holds no plan and leaves no machine out. */
const addCampaign = (db: Reader, { merchantId, mark, at }: BranchBase, planId: number) =>
  inserted(
    db,
    sql`insert into campaign (merchant_id, name, measure, goal_percent, starts_on, ends_on, plan_ids, control_percent,
        created_at)
      values (${merchantId}, ${`${mark} campaign`}, 'sales', 10, ${at}::date + 30, ${at}::date + 43,
        array[${planId}::bigint], 10, ${at})`,
  )

const addBatch = (db: Reader, { merchantId, mark, at }: BranchBase, kind: 'bearer' | 'codes', planId: number) =>
  inserted(
    db,
    sql`insert into voucher_batch (plan_id, version_id, merchant_id, kind, count, state, reason, valid_from, expires_at,
        created_at)
      select p.id, p.version_id, ${merchantId}, ${kind}, 2, 'ready', ${`${mark} batch`}, ${at},
        ${at}::timestamptz + interval '30 days', ${at} from promotion_plan p where p.id = ${planId}`,
  )

/** Two, one of which is cancelled by the walk; their numbers nobody knows, since the server alone can seal them. */
const addVouchers = (db: Reader, { at }: BranchBase, kind: Kind, batchId: number): Promise<number> =>
  inserted(
    db,
    sql`insert into voucher (batch_id, plan_id, version_id, merchant_id, kind, serial, state, digest, sealed, tail,
        uses_allowed, valid_from, expires_at, created_at)
      select b.id, b.plan_id, b.version_id, b.merchant_id, ${kind}, n,
        case n when 1 then 'cancelled' else 'unused' end, sha256((b.id || '/v/' || n)::text::bytea), '\\x00',
        '7ACD', 1, b.valid_from, b.expires_at, ${at} from voucher_batch b, generate_series(1, 2) n
      where b.id = ${batchId}`,
  )
