import { getLog, getSealState, listLogs } from '@aisle/contract/audit/log'
import { existing } from '../../kernel/refuse'
import { listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findLogEntry, listLogsIn } from './log.reads'
import * as sealStore from './seal.store'

export const routes: Route[] = [
  ...listOf(listLogs, (ctx, input) => listLogsIn(sightOf(ctx.actor), input)),
  query(getLog, async (ctx, { id }) => existing(await findLogEntry(ctx.db, sightOf(ctx.actor), id))),
  query(getSealState, async ({ db }) => {
    const { sealedAt, checkedAt, ...state } = await sealStore.state(db)
    return { ...state, sealedAt: sealedAt?.toISOString() ?? null, checkedAt: checkedAt?.toISOString() ?? null }
  }),
]
