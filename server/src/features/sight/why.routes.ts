import { listMachinesOfUser, listSeers } from '@aisle/contract/sight/why'
import { existing, refuse } from '../../kernel/refuse'
import { listOf, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findInSight } from '../fleet/public'
import { findUser, listSeenBy, listSeersOf } from './why.reads'

export const routes: Route[] = [
  ...listOf(listSeers, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    if (!(await findInSight(ctx.db, sight, input.id))) refuse('request.notFound')
    return listSeersOf(sight, input)
  }),
  ...listOf(listMachinesOfUser, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const user = existing(await findUser(ctx.db, sight, input.id))
    return listSeenBy(sight, user, input)
  }),
]
