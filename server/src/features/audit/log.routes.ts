import { getLog, getSealState, listLogs } from '@aisle/contract/audit/log'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { refuse } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { count, findDetail, isLogKey, page } from './log.reads'
import * as sealStore from './seal.store'

export const routes: Route[] = [
  query(listLogs, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const after = readCursor(input.cursor, isLogKey)
    const found = await page(ctx.db, sight, input, after)
    const items = found.slice(0, input.pageSize)
    const last = items.at(-1)
    return {
      items,
      total: after ? null : await count(ctx.db, sight, input),
      nextCursor: found.length > input.pageSize && last ? writeCursor({ at: last.at, id: last.id }) : null,
    }
  }),
  query(
    getLog,
    async (ctx, { id }) => (await findDetail(ctx.db, sightOf(ctx.actor), id)) ?? refuse('request.notFound'),
  ),
  query(getSealState, async ({ db }) => {
    const { sealedAt, checkedAt, ...state } = await sealStore.state(db)
    return { ...state, sealedAt: sealedAt?.toISOString() ?? null, checkedAt: checkedAt?.toISOString() ?? null }
  }),
]
