import * as contract from '@aisle/contract/rights/resource'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { addExternal, changeExternal, removeExternal, turnOff, turnOn } from './resource.commands'
import { resourceOf, resources } from './resource.reads'

type After = { after: string }
const isAfter = (value: unknown): value is After =>
  typeof value === 'object' && value !== null && 'after' in value && typeof value.after === 'string'

export const routes: Route[] = [
  query(contract.listResources, async (ctx, input) => {
    const cursor = readCursor(input.cursor, isAfter)
    const all = await resources(ctx, input)
    // A code that went meanwhile ends the list: its place is not known any more.
    const from = cursor ? all.findIndex(({ code }) => code === cursor.after) + 1 : 0
    const items = cursor && from === 0 ? [] : all.slice(from, from + input.pageSize)
    const last = items.at(-1)
    const isMore = last !== undefined && from + items.length < all.length
    return {
      items,
      total: cursor ? null : all.length,
      nextCursor: isMore ? writeCursor({ after: last.code }) : null,
    }
  }),
  query(contract.getResource, async (ctx, { code }) => (await resourceOf(ctx, code)) ?? refuse('resource.unknown')),
  command(contract.switchOff, turnOff),
  command(contract.switchOn, turnOn),
  command(contract.createExternal, addExternal),
  command(contract.editExternal, changeExternal),
  command(contract.deleteExternal, removeExternal),
]
