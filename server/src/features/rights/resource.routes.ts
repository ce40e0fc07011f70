import * as contract from '@aisle/contract/rights/resource'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { addExternal, changeExternal, removeExternal, turnOff, turnOn } from './resource.commands'
import { countResources, resourceOf, resources } from './resource.reads'

type After = { after: string }
const isAfter = (value: unknown): value is After =>
  typeof value === 'object' && value !== null && 'after' in value && typeof value.after === 'string'

export const routes: Route[] = [
  ...listOf(contract.listResources, (ctx, input) => ({
    page: async (_, { cursor, pageSize }) => {
      const place = readCursor(cursor, isAfter)
      const all = await resources(ctx, input)
      // A code that went meanwhile ends the list: its place is not known any more.
      const from = place ? all.findIndex(({ code }) => code === place.after) + 1 : 0
      const items = place && from === 0 ? [] : all.slice(from, from + pageSize)
      const last = from + items.length < all.length ? items.at(-1) : undefined
      return { items, nextCursor: last ? writeCursor({ after: last.code }) : null }
    },
    count: async () => ({ total: await countResources(ctx, input) }),
  })),
  query(contract.getResource, async (ctx, { code }) => (await resourceOf(ctx, code)) ?? refuse('resource.unknown')),
  command(contract.switchOff, turnOff),
  command(contract.switchOn, turnOn),
  command(contract.createExternal, addExternal),
  command(contract.editExternal, changeExternal),
  command(contract.deleteExternal, removeExternal),
]
