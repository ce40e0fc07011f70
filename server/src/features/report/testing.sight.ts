import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'report-requests': 'user',
  },
  fields: {
    // A branch of the range; what is ranked of it is decided by the machines in sight.
    'report.rankGoods.categoryId': null,
    'report.listProductTrade.categoryId': null,
    'report.listVoucherStatistics.planId': 'coupon-plans',
  },
  rows: {
    'report-requests': addReportRequest,
  },
}

async function addReportRequest(db: Reader, { merchantId, idOf, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into report_request
        (merchant_id, user_id, list, query, columns, format, language, requested_at, touched_at)
      values (${merchantId}, ${await idOf('users')}, 'trade.listOrders', '{}', '{orderNo}', 'csv', 'zh', ${at}, ${at})`,
  )
}
