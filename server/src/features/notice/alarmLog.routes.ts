import { getAlarmMessage, listAlarmLog } from '@aisle/contract/notice/alarmLog'
import { sql } from 'kysely'
import { listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { list } from './push.reads'
import { detailFor } from './push.routes'

const onlyAlarms = sql`is_alarm`

export const routes: Route[] = [
  ...listOf(listAlarmLog, (ctx, input) => list(sightOf(ctx.actor), ctx.language, input, onlyAlarms)),
  query(getAlarmMessage, (ctx, { id }) => detailFor(ctx, id, onlyAlarms)),
]
