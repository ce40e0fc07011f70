import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    logs: 'merchant',
    'system-alarms': 'platform',
  },
  fields: {
    'audit.listLogs.objectId': null,
  },
  rows: {
    logs: addLogRow,
    'system-alarms': addSystemAlarm,
  },
}

/** The list shows operations under twice their id. */
async function addLogRow(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const found = await sql<{ id: number }>`
    with person as (
      insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, ${`log${merchantId}`}, ${`${mark} Writer`}, 'ordinary') returning id),
    written as (
      insert into audit_log (at, merchant_id, user_id, ip, action, object_kind, object_id, after, trace_id)
      select ${at}, ${merchantId}, id, '127.0.0.1', 'merchant.test', 'merchant', ${mark},
        ${JSON.stringify({ name: mark })}, 'test' from person returning id, at)
    insert into audit_pending select id, at from written returning log_id as id`.execute(db)
  return only(found).id * 2
}

async function addSystemAlarm(db: Reader, { mark, at }: BranchBase): Promise<number> {
  const found = await sql<{ id: number }>`insert into system_alarm (kind, cause, facts, opened_at, seen_at)
    values ('job_failed', ${mark}, '{}', ${at}, ${at}) returning id`.execute(db)
  return only(found).id
}
