import { isGranted } from '@aisle/contract/identity/permissions'
import { screenOf } from '@aisle/contract/screens'
import { search } from '@aisle/contract/system/search'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findScreens } from './search.screens'
import {
  findBatches,
  findMachines,
  findMembers,
  findMerchants,
  findOrders,
  findProducts,
  type Found,
} from './search.store'

export const routes: Route[] = [
  query(search, async (ctx, { q }) => {
    const { db, actor } = ctx
    const sight = sightOf(actor)
    const may = (permission: `${string}.read`) => isGranted(actor.grants, permission)
    // Who sees medicines alone, as a pharmacist does, opens them in their own list.
    const goods = may('product.read') ? ['goods' as const] : []
    const medicines = may('medicine.read') || may('product.read') ? ['medicine' as const] : []
    const [machines, orders, products, batches, members, merchants] = await Promise.all([
      may('machine.read') ? findMachines(db, sight, q) : [],
      may('order.read') ? findOrders(db, sight, q) : [],
      findProducts(db, sight, q, [...goods, ...medicines]),
      may('batch.read') ? findBatches(ctx, q) : [],
      may('member.read') ? findMembers(db, sight, q) : [],
      may('merchant.read') ? findMerchants(db, sight, q) : [],
    ])
    const screen = { goods: 'spgl/wdsp', medicine: may('medicine.read') ? 'ypgl/yplb' : 'spgl/wdsp' }
    return {
      items: [
        ...machines.map((machine) => ({ kind: 'machine' as const, ...hit('shj/wdshj', 'code', machine) })),
        ...orders.map((order) => ({ kind: 'order' as const, ...hit('jygl/ddgl', 'orderNo', order) })),
        ...products.map(({ kind, ...product }) => ({
          kind: kind === 'goods' ? ('product' as const) : kind,
          ...hit(screen[kind], 'code', product),
        })),
        ...batches.map((batch) => ({ kind: 'batch' as const, ...hit('ypgl/yppc', 'q', batch) })),
        ...members.map((member) => ({ kind: 'member' as const, ...hit('hygl/wdhy', 'q', member) })),
        ...merchants.map((merchant) => ({ kind: 'merchant' as const, ...hit('shgl/wdsh', 'q', merchant) })),
        ...findScreens(actor.grants, ctx.language, q).map((screen) => ({ kind: 'screen' as const, ...screen })),
      ],
    }
  }),
]

/** The list that shows the thing, filtered to it, with its row open. */
function hit(screen: string, filter: string, { id, code, title }: Found) {
  const query = new URLSearchParams({ [filter]: code, open: String(id) })
  return { code, title, path: `${screenOf(screen).path}?${query}` }
}
