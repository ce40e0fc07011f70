import { saveSlots } from '@aisle/contract/planogram/slot'
import { addTemplate, editTemplate, getTemplate } from '@aisle/contract/planogram/template'
import { DAY_MS, HOUR_MS } from '../calendar'
import { DEMO_OPERATOR, merchants, PLATFORM } from '../data/merchants'
import { templates } from '../data/operations'
import type { Past } from '../life/within'
import { seenBy } from '../people/people'
import { catalogue } from './catalogue'
import { cooledByDay } from './fleet'
import type { Planned } from './planned'

const FOLLOWERS = 6

/** Templates with machines that follow them, some of them behind; and a few slots that wait for their next service. */
export async function addTemplates(past: Past, network: readonly Planned[]): Promise<void> {
  const { as, at, idOf, latestMs, tx } = past
  for (const { merchant, category, name, remark } of templates) {
    const isOperator = merchant === DEMO_OPERATOR
    const isBelow = (code: string) =>
      code === merchant || merchants.find((each) => each.code === code)?.parent === merchant
    const source = network.find(
      ({ machine, slots }) =>
        machine.category === category &&
        (isBelow(machine.merchant) || !isOperator) &&
        slots.every(({ product }) => !product || product.merchant === PLATFORM || product.merchant === merchant),
    )
    if (!source) continue
    const account = isOperator ? 'merchant' : 'admin'
    const changedMs = latestMs - (isOperator ? 9 : 40) * DAY_MS
    at(changedMs - 30 * DAY_MS)
    const slots = source.slots.map(({ layer, position, product, priceFen, capacity, alarmThreshold }) => {
      const productId = product ? idOf('product', product.code) : null
      return { layer, position, productId, priceFen, capacity, alarmThreshold }
    })
    const { temperatureMinC, temperatureMaxC } = source.machine
    const settings = { flowAlarmMb: 2048, temperatureMinC, temperatureMaxC, thermostat: cooledByDay }
    const merchantId = idOf('merchant', merchant)
    const { id } = await as(account, addTemplate, { merchantId, name, remark, slots, ...settings })
    // What stands in those that were given it may have become another one since.
    const followers = network.filter(
      ({ machine }) => isOperator && machine.merchant === merchant && machine.category === category,
    )
    const applied = { appliedAt: new Date(changedMs - 29 * DAY_MS), appliedBy: idOf('user', account) }
    const uses = followers.slice(0, FOLLOWERS).map(({ machine }) => {
      return { machineId: idOf('machine', machine.code), templateId: id, version: 1, ...applied }
    })
    if (uses.length > 0) await tx.insertInto('templateUse').values(uses).execute()
    at(changedMs)
    const { version } = await as(account, getTemplate, { id })
    await as(account, editTemplate, { id, version, name, remark, slots, ...settings, flowAlarmMb: 3072 })
  }
  at(latestMs - 10 * HOUR_MS)
  await planNext(past, seenBy('operator', network))
}

/** The next of the same shelf waits for slots of the operator's machines. */
async function planNext({ as, idOf }: Past, seen: readonly Planned[]): Promise<void> {
  for (const { machine, slots } of seen.slice(0, 8)) {
    const slot = slots.find(({ product, choice }) => product && choice === 'none')
    const { code, product, priceFen, capacity, alarmThreshold, choice } = slot ?? {}
    const next = catalogue.find(
      (other) =>
        other.category === product?.category && other.merchant === product.merchant && other.code !== product.code,
    )
    if (!code || !next || priceFen === undefined || !capacity || alarmThreshold === undefined || !choice) continue
    const wanted = { code, version: 1, productId: idOf('product', next.code), priceFen: next.priceFen, capacity }
    const slotsWanted = [{ ...wanted, alarmThreshold, choice, isLocked: false }]
    await as('operator', saveSlots, { id: idOf('machine', machine.code), when: 'nextService', slots: slotsWanted })
  }
}
