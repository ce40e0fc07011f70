import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    alarms: 'machine',
    'stock-alarm-rules': 'merchant',
  },
  fields: {
    alarmId: 'alarms',
    'alarm.acknowledgeAlarms.ids': 'alarms',
    'alarm.assignAlarms.ids': 'alarms',
    'alarm.closeAlarms.ids': 'alarms',
    'alarm.previewStockRule.id': 'stock-alarm-rules',
  },
  rows: {
    /** One each machine. */
    alarms: (db, { machines, at }) =>
      inserted(
        db,
        sql`insert into alarm (machine_id, merchant_id, cause, level, facts, opened_at, seen_at)
          select id, merchant_id, 'machine_fault', 'critical', '{"codes": "E1"}', ${at}, ${at} from machine
          where id = any(${machines.map(({ id }) => id)}::bigint[]) order by id`,
      ),
    'stock-alarm-rules': (db, { merchantId, at }) =>
      inserted(
        db,
        sql`insert into stock_alarm_rule (merchant_id, empty, of_slots, updated_at) values (${merchantId}, 5, 60,
          ${at})`,
      ),
  },
}
