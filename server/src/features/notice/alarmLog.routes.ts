import { listAlarmLog } from '@aisle/contract/notice/alarmLog'
import { sql } from 'kysely'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { list } from './push.reads'

export const routes: Route[] = [
  query(listAlarmLog, (ctx, input) => list(ctx.db, sightOf(ctx.actor), ctx.language, input, sql`is_alarm`)),
]
