import {
  type Grantee,
  grantCalls,
  listGrantLogMachines,
  listMerchantGrantees,
  listTeamGrantees,
} from '@aisle/contract/sight/authorisation'
import type { QueryContext } from '../../kernel/context'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { authorise, withdraw } from './grant.commands'
import { listGrantable } from './grantable.reads'
import { listMerchants, listTeam } from './grantee.reads'
import { findGrantee } from './grantee.store'
import { listLog, listLogMachines } from './grantLog.reads'

export const routes: Route[] = [
  ...routesAbout('merchant'),
  ...routesAbout('organisation'),
  ...routesAbout('user'),
  query(listMerchantGrantees, async (ctx) => ({ items: await listMerchants(ctx.db, sightOf(ctx.actor)) })),
  query(listTeamGrantees, (ctx, input) => listTeam(ctx.db, sightOf(ctx.actor), input)),
  ...listOf(listGrantLogMachines, async (ctx, input) => {
    const found = await listLogMachines(ctx.db, sightOf(ctx.actor), input)
    return existing(found)
  }),
]

function routesAbout(kind: Grantee): Route[] {
  const { list, grant, revoke, history } = grantCalls[kind]
  const found = async ({ db, actor }: QueryContext, { id }: { id: number }) =>
    existing(await findGrantee(db, sightOf(actor), kind, id))
  return [
    ...listOf(list, async (ctx, input) => listGrantable(sightOf(ctx.actor), await found(ctx, input), input)),
    command(grant, async (ctx, input) => ({
      changed: await authorise(ctx, await found(ctx, input), input.machines, input.untilDay),
    })),
    command(revoke, async (ctx, input) => ({
      changed: await withdraw(ctx, await found(ctx, input), input.machines),
    })),
    ...listOf(history, async (ctx, input) => listLog(sightOf(ctx.actor), await found(ctx, input))),
  ]
}
