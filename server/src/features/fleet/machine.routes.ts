import {
  getMachine,
  listMachines,
  listSlots,
  rotateSecret as rotateSecretEndpoint,
  summariseMachines,
} from '@aisle/contract/fleet/machine'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { rotateSecret } from './machine.commands'
import { count, findDetail, findInSight, findSlots, isMachineKey, page, summary } from './machine.reads'

export const routes: Route[] = [
  query(listMachines, async (ctx, input) => {
    const sight = sightOf(ctx.actor)
    const after = readCursor(input.cursor, isMachineKey(input.sort))
    const found = await page(ctx.db, sight, input, after, ctx.now())
    const items = found.slice(0, input.pageSize)
    const last = items.at(-1)
    const more = found.length > input.pageSize && last
    return {
      items,
      total: after ? null : await count(ctx.db, sight, input, ctx.now()),
      nextCursor: more ? writeCursor({ key: last.sortKey, id: last.id }) : null,
    }
  }),
  query(summariseMachines, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(getMachine, async (ctx, input) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), input.id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
  query(listSlots, async (ctx, input) => {
    const machine = (await findInSight(ctx.db, sightOf(ctx.actor), input.id)) ?? refuse('request.notFound')
    return { items: await findSlots(ctx.db, machine.id) }
  }),
  command(
    rotateSecretEndpoint,
    async (ctx, input) => {
      const machine = (await findInSight(ctx.tx, sightOf(ctx.actor), input.id)) ?? refuse('request.notFound')
      return { code: machine.code, secret: await rotateSecret(ctx, machine) }
    },
    'nothing',
  ),
]
