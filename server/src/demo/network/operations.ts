import { addAssortment, setAssortment } from '@aisle/contract/fleet/assortment'
import { addMachineGroup, addMembers } from '@aisle/contract/fleet/group'
import { bindMachines } from '@aisle/contract/fleet/machineBatch'
import { addOfficialAccount, showAccount } from '@aisle/contract/fleet/officialAccount'
import { addRoute, setStops } from '@aisle/contract/fleet/route'
import { accounts, groups, weekdaysOf } from '../data/operations'
import { DEMO_OPERATOR, ownerOf } from '../data/merchants'
import { units } from '../data/staff'
import type { Past } from '../life/within'
import type { Planned } from './fleet'
import type { DemoMachine } from './network'
import { idOf, type Ids } from '../people/people'
import { seedOf } from '../random'

type About = { machines: Ids; merchants: Ids; products: Ids; units: Ids; users: Ids }

/** So many fit a call. */
const MOST_NAMED = 500
const STOPS_A_DAY = 14

const byMany = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))

/** How the machines are run: routes, operators, groups, assortments and official accounts. */
export async function runNetwork(past: Past, network: readonly Planned[], ids: About): Promise<void> {
  for (const region of new Set(network.map(({ machine }) => machine.point.region))) {
    const owner = ownerOf(region, 'operator')
    const own = network.filter(({ machine }) => machine.point.region === region)
    await addRoutes(
      past,
      owner,
      own.map(({ machine }) => machine),
      ids,
    )
    await addGroups(past, owner, own, ids)
  }
  await bindOperators(past, network, ids)
  await addAccounts(past, network, ids)
}

const idsOf = (machines: readonly DemoMachine[], ids: About) => machines.map(({ code }) => idOf(ids.machines, code))

/** A city is driven by somebody of its region's operator, in as many routes as a day allows. */
async function addRoutes({ as, tx }: Past, owner: string, machines: readonly DemoMachine[], ids: About): Promise<void> {
  const merchantId = idOf(ids.merchants, owner)
  const people = tx.selectFrom('appUser').select(['id', 'account']).where('merchantId', '=', merchantId)
  const drivers = (await people.where('kind', '=', 'ordinary').where('state', '=', 'active').execute()).filter(
    ({ account }) => !['maintainer', 'pharmacist', 'finance'].includes(account),
  )
  for (const city of new Set(machines.map(({ point }) => point.city))) {
    const stops = machines.filter(({ point }) => point.city === city)
    for (const [nth, some] of byMany(stops, STOPS_A_DAY).entries()) {
      const name = `${city.replace(/市$/, '')}${'一二三四五六七八九'[Math.min(8, nth)]}线${nth > 8 ? nth - 7 : ''}`
      const driver = drivers[seedOf(name) % Math.max(1, drivers.length)]?.id ?? null
      const userId = name === '杭州一线' ? idOf(ids.users, 'operator') : driver
      const weekdays = [...(weekdaysOf[seedOf(name) % weekdaysOf.length] ?? [])]
      const { id } = await as('admin', addRoute, { merchantId, name, userId, weekdays })
      await as('admin', setStops, { id, version: 1, ids: idsOf(some, ids) })
    }
  }
}

/** Machines away from the shops are run by an operator of their city, where there is one. */
async function bindOperators({ as }: Past, network: readonly Planned[], ids: About): Promise<void> {
  for (const { merchant, name, kind } of units) {
    if (kind !== 'operator') continue
    const own = network.flatMap(({ machine }) =>
      machine.merchant === merchant && machine.point.city.startsWith(name.slice(0, 2)) ? [machine] : [],
    )
    const operatorId = idOf(ids.units, `${merchant}/${name}`)
    if (own.length > 0) await as('admin', bindMachines, { ids: idsOf(own, ids), operatorId })
  }
}

async function addGroups(past: Past, owner: string, own: readonly Planned[], ids: About): Promise<void> {
  const { as } = past
  const merchantId = idOf(ids.merchants, owner)
  for (const [at, { name, remark, has, assortment }] of groups.entries()) {
    const { id } = await as('admin', addMachineGroup, { merchantId, name, remark, sort: at + 1 })
    const members = own.filter(({ machine }) => has(machine))
    for (const machineIds of byMany(
      idsOf(
        members.map(({ machine }) => machine),
        ids,
      ),
      MOST_NAMED,
    )) {
      await as('admin', addMembers, { id, machines: { machineIds } })
    }
    if (!assortment || members.length === 0) continue
    const made = await as('admin', addAssortment, { merchantId, name: assortment, remark: '饮料与零食，按季度更新' })
    await as('admin', setAssortment, {
      id: made.id,
      version: 1,
      groupIds: [id],
      machineIds: [],
      ...goodsOf(members, ids),
    })
  }
}

/** What they have now but for a few, which are left to be cleared out; its first layer as most have it. */
function goodsOf(members: readonly Planned[], ids: About) {
  const slots = members.flatMap((member) =>
    member.slots.flatMap(({ code, layer, product }) => (product ? [{ code, layer, product: product.code }] : [])),
  )
  const products = new Set(slots.map(({ product }) => product).filter((code) => seedOf(code) % 12 > 0))
  const counted = new Map<string, number>()
  for (const { code, layer, product } of slots) {
    const key = `${code}/${product}`
    if (layer === 1 && products.has(product)) counted.set(key, (counted.get(key) ?? 0) + 1)
  }
  const ranked = [...counted].sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0])).map(([key]) => key.split('/'))
  // The most frequent comes last, and stays.
  const first = new Map(ranked.map(([code = '', product = '']) => [code, idOf(ids.products, product)]))
  return {
    productIds: [...products].map((code) => idOf(ids.products, code)),
    slots: [...first].map(([code, productId]) => ({ code, productId })),
  }
}

async function addAccounts({ as }: Past, network: readonly Planned[], ids: About): Promise<void> {
  const own = network.flatMap(({ machine }) => (machine.merchant === DEMO_OPERATOR ? [machine] : []))
  for (const account of accounts) {
    const { id } = await as('admin', addOfficialAccount, { ...account, merchantId: idOf(ids.merchants, DEMO_OPERATOR) })
    const shown = own.filter(({ code }) => seedOf(`${code}/${account.platform}`) % 3 > 0)
    for (const machineIds of byMany(idsOf(shown, ids), MOST_NAMED)) await as('admin', showAccount, { id, machineIds })
  }
}
