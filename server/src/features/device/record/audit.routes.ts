import { getAuditFiles } from '@aisle/contract/device/audit'
import { existing } from '../../../kernel/refuse'
import { query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { findInSight } from '../../fleet/public'
import { findAuditFiles } from './audit.reads'

export const routes: Route[] = [
  query(getAuditFiles, async (ctx, input) => {
    const machine = existing(await findInSight(ctx.db, sightOf(ctx.actor), input.id))
    return findAuditFiles(ctx.db, machine.id)
  }),
]
