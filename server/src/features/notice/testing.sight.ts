import { sql } from 'kysely'
import { only } from '../../kernel/must'
import { inserted } from '../../testing/inserted'
import type { MakeRow, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    notifications: 'merchant',
    'push-messages': 'merchant',
    'alarm-log': 'merchant',
    'message-types': 'platform',
  },
  fields: {
    typeId: 'message-types',
    // The caller's own, kept apart by the caller's id.
    mutedTypeIds: null,
    'notice.readMessages.ids': null,
  },
  platformsAlone: {
    'notice.addMessageType': 'request.notFound',
    'notice.listProviders': 'request.notFound',
    'notice.saveProvider': 'request.notFound',
    'notice.testProvider': 'request.notFound',
  },
  nothingThere: ['notice.clearPushSetting'],
  rows: {
    'message-types': async (db) => {
      const found = await sql<{ id: number }>`select id from message_type where code = 'alarm.machine'`.execute(db)
      return only(found).id
    },
    notifications: async (db, { merchantId, mark, idOf, at }) =>
      inserted(
        db,
        sql`insert into notification (merchant_id, type_id, title, body, channels, target, created_by, created_at)
          select ${merchantId}, id, ${`${mark} notice`}, ${mark}, '{web}', 'all', ${await idOf('users')}, ${at}
          from message_type where code = 'notice.system'`,
      ),
    'push-messages': alarmMessage,
    'alarm-log': alarmMessage,
  },
}

function alarmMessage(...[db, { merchantId, mark, at }]: Parameters<MakeRow>): Promise<number> {
  return inserted(
    db,
    sql`insert into outbox_message (type, channel, merchant_id, receiver, title, body, state, created_at, next_try_at)
      values ('alarm.machine', 'sms', ${merchantId}, '13812345678', ${`${mark} alarm`}, ${mark}, 'held', ${at}, ${at})`,
  )
}
