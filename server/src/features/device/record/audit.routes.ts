import { getAuditFiles } from '@aisle/contract/device/audit'
import { refuse } from '../../../kernel/refuse'
import { query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { findInSight } from '../../fleet/public'
import { findAuditFiles } from './audit.reads'

export const routes: Route[] = [
  query(getAuditFiles, async (ctx, input) => {
    const machine = (await findInSight(ctx.db, sightOf(ctx.actor), input.id)) ?? refuse('request.notFound')
    return findAuditFiles(ctx.db, machine.id)
  }),
]
