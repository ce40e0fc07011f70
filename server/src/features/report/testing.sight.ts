import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'report-requests': 'user',
    'kept-reports': 'user',
    'share-roles': 'merchant',
  },
  fields: {
    requestId: 'report-requests',
    // Of the caller's own merchant; what else is named is left out (kept.test.ts asks).
    'report.keepReport.roleIds': null,
    'report.editKeptReport.roleIds': null,
    // A branch of the range; what is ranked of it is decided by the machines in sight.
    'report.rankGoods.categoryId': null,
    'report.listProductTrade.categoryId': null,
    'report.listVoucherStatistics.planId': 'coupon-plans',
  },
  rows: {
    'report-requests': addReportRequest,
    'kept-reports': addKeptReport,
    'share-roles': (_, { idOf }) => idOf('roles'),
  },
}

async function addKeptReport(db: Reader, { merchantId, mark, idOf, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into kept_report (merchant_id, user_id, name, list, query, columns, format, language, period, cadence,
        at_hour, created_at)
      select ${merchantId}, ${await idOf('users')}, ${mark}, 'trade.listOrders', '{}', '{orderNo}', 'csv', 'zh',
        'fixed', 'never', 8, ${at} from generate_series(1, 3) n`,
  )
}

async function addReportRequest(db: Reader, { merchantId, idOf, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into report_request
        (merchant_id, user_id, list, query, columns, format, language, requested_at, touched_at)
      values (${merchantId}, ${await idOf('users')}, 'trade.listOrders', '{}', '{orderNo}', 'csv', 'zh', ${at}, ${at})`,
  )
}
