import { addAssortment, setAssortment } from '@aisle/contract/fleet/assortment'
import { addMachineGroup, addMembers } from '@aisle/contract/fleet/group'
import { bindMachines } from '@aisle/contract/fleet/machineBatch'
import { addOfficialAccount, showAccount } from '@aisle/contract/fleet/officialAccount'
import { addRoute, setStops } from '@aisle/contract/fleet/route'
import { grouped } from '../../kernel/must'
import { accounts, groups, weekdaysOf } from '../data/operations'
import { DEMO_OPERATOR, ownerOf } from '../data/merchants'
import { units } from '../data/staff'
import type { Past } from '../life/within'
import type { Planned } from './planned'
import { seedOf } from '../random'

/** So many fit a call. */
const MOST_NAMED = 500
const STOPS_A_DAY = 14

const byMany = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))

/** How the machines are run: routes, operators, groups, assortments and official accounts. */
export async function runNetwork(past: Past, network: readonly Planned[]): Promise<void> {
  for (const [region, own] of grouped(network, ({ machine }) => machine.point.region)) {
    await addRoutes(past, ownerOf(region, 'operator'), own)
    await addGroups(past, ownerOf(region, 'operator'), own)
  }
  await bindOperators(past, network)
  await addAccounts(past, network)
}

const idsOf = ({ idOf }: Past, planned: readonly Planned[]) =>
  planned.map(({ machine }) => idOf('machine', machine.code))

/** A city is driven by somebody of its region's operator, in as many routes as a day allows. */
async function addRoutes(past: Past, owner: string, own: readonly Planned[]): Promise<void> {
  const { as, idOf, tx } = past
  const merchantId = idOf('merchant', owner)
  const people = tx.selectFrom('appUser').select(['id', 'account']).where('merchantId', '=', merchantId)
  const drivers = (await people.where('kind', '=', 'ordinary').where('state', '=', 'active').execute()).filter(
    ({ account }) => !['maintainer', 'pharmacist', 'finance'].includes(account),
  )
  for (const [city, stops] of grouped(own, ({ machine }) => machine.point.city)) {
    for (const [nth, some] of byMany(stops, STOPS_A_DAY).entries()) {
      const name = `${city.replace(/市$/, '')}${'一二三四五六七八九'[Math.min(8, nth)]}线${nth > 8 ? nth - 7 : ''}`
      const driver = drivers[seedOf(name) % Math.max(1, drivers.length)]?.id ?? null
      const userId = name === '杭州一线' ? idOf('user', 'operator') : driver
      const weekdays = [...(weekdaysOf[seedOf(name) % weekdaysOf.length] ?? [])]
      const { id } = await as('admin', addRoute, { merchantId, name, userId, weekdays })
      await as('admin', setStops, { id, version: 1, ids: idsOf(past, some) })
    }
  }
}

/** Machines away from the shops are run by an operator of their city, where there is one. */
async function bindOperators(past: Past, network: readonly Planned[]): Promise<void> {
  for (const { merchant, name } of units.filter(({ kind }) => kind === 'operator')) {
    const own = network.filter(
      ({ machine }) => machine.merchant === merchant && machine.point.city.startsWith(name.slice(0, 2)),
    )
    const operatorId = past.idOf('unit', `${merchant}/${name}`)
    if (own.length > 0) await past.as('admin', bindMachines, { ids: idsOf(past, own), operatorId })
  }
}

async function addGroups(past: Past, owner: string, own: readonly Planned[]): Promise<void> {
  const { as } = past
  const merchantId = past.idOf('merchant', owner)
  for (const [at, { name, remark, has, assortment }] of groups.entries()) {
    const { id } = await as('admin', addMachineGroup, { merchantId, name, remark, sort: at + 1 })
    const members = own.filter(({ machine }) => has(machine))
    for (const machineIds of byMany(idsOf(past, members), MOST_NAMED))
      await as('admin', addMembers, { id, machines: { machineIds } })
    if (!assortment || members.length === 0) continue
    const made = await as('admin', addAssortment, { merchantId, name: assortment, remark: '饮料与零食，按季度更新' })
    const machineIds: number[] = []
    await as('admin', setAssortment, { id: made.id, version: 1, groupIds: [id], machineIds, ...goodsOf(past, members) })
  }
}

/** What they have now but for a few, which are left to be cleared out; its first layer as one of them has it. */
function goodsOf({ idOf }: Past, members: readonly Planned[]) {
  const stands = (slots: Planned['slots']) =>
    slots.flatMap(({ code, layer, product }) => (product ? [{ code, layer, product: product.code }] : []))
  const held = stands(members.flatMap(({ slots }) => slots)).map(({ product }) => product)
  const kept = new Set(held.filter((code) => seedOf(code) % 12 > 0))
  const first = stands(members[0]?.slots ?? []).filter(({ layer, product }) => layer === 1 && kept.has(product))
  return {
    productIds: [...kept].map((code) => idOf('product', code)),
    slots: first.map(({ code, product }) => ({ code, productId: idOf('product', product) })),
  }
}

async function addAccounts(past: Past, network: readonly Planned[]): Promise<void> {
  const { as, idOf } = past
  const own = network.filter(({ machine }) => machine.merchant === DEMO_OPERATOR)
  for (const account of accounts) {
    const { id } = await as('admin', addOfficialAccount, { ...account, merchantId: idOf('merchant', DEMO_OPERATOR) })
    const shown = own.filter(({ machine }) => seedOf(`${machine.code}/${account.platform}`) % 3 > 0)
    for (const machineIds of byMany(idsOf(past, shown), MOST_NAMED)) await as('admin', showAccount, { id, machineIds })
  }
}
