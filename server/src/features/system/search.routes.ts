import { isGranted } from '@aisle/contract/identity/permissions'
import { screenOf } from '@aisle/contract/screens'
import { search } from '@aisle/contract/system/search'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findMachines, findOrders, findProducts, type Found } from './search.store'

export const routes: Route[] = [
  query(search, async ({ db, actor }, { q }) => {
    const sight = sightOf(actor)
    const machines = isGranted(actor.grants, 'machine.read') ? await findMachines(db, sight, q) : []
    const orders = isGranted(actor.grants, 'order.read') ? await findOrders(db, sight, q) : []
    const products = isGranted(actor.grants, 'product.read') ? await findProducts(db, sight, q) : []
    return {
      items: [
        ...machines.map((machine) => ({ kind: 'machine' as const, ...hit('shj/wdshj', 'code', machine) })),
        ...orders.map((order) => ({ kind: 'order' as const, ...hit('jygl/ddgl', 'orderNo', order) })),
        ...products.map((product) => ({ kind: 'product' as const, ...hit('spgl/wdsp', 'code', product) })),
      ],
    }
  }),
]

/** The list that shows the thing, filtered to it, with its row open. */
function hit(screen: string, filter: string, { id, code, title }: Found) {
  const query = new URLSearchParams({ [filter]: code, open: String(id) })
  return { code, title, path: `${screenOf(screen).path}?${query}` }
}
