import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { 'stock-counts': 'machine' },
  fields: {
    'counting.openSlotCounts.ids': null,
    // Of the count that is named beside them; others are not there (count.test.ts asks).
    'counting.recountLines.lineIds': null,
    'counting.explainLines.lineIds': null,
  },
  rows: {
    'stock-counts': (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into stock_count (merchant_id, no, machine_id, scope, reason, opened_at)
          select ${merchantId}, ${`${mark} count `} || id, id, 'cycle', ${mark}, ${at}
          from unnest(${machines.map(({ id }) => id)}::bigint[]) as id`,
      ),
  },
}
