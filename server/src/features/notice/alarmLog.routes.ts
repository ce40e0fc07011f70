import { getAlarmMessage, listAlarmLog } from '@aisle/contract/notice/alarmLog'
import { listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { list, onlyAlarms } from './push.store'
import { detailFor } from './push.routes'

export const routes: Route[] = [
  ...listOf(listAlarmLog, (ctx, input) => list(sightOf(ctx.actor), ctx.language, input, onlyAlarms)),
  query(getAlarmMessage, (ctx, { id }) => detailFor(ctx, id, onlyAlarms)),
]
