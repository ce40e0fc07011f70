import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'repair-orders': 'machine',
    'repair-plans': 'machine',
  },
  fields: {
    assigneeId: 'users',
    'maintenance.pullBatches.ids': 'expiring-batches',
  },
  rows: {
    'repair-orders': (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into repair_order (merchant_id, machine_id, source, kind, problem, created_at)
          select ${merchantId}, id, 'person', 'repair', ${`${mark} is broken`}, ${at}
          from unnest(${machines.map(({ id }) => id)}::bigint[]) as id`,
      ),
    'repair-plans': (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into repair_plan (merchant_id, machine_id, name, every_days, since, created_at)
          values (${merchantId}, ${machines[0]?.id}, ${`${mark} plan`}, 90, ${at}, ${at})`,
      ),
  },
}
