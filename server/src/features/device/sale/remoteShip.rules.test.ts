import { remoteShipState } from '@aisle/contract/device/remoteShip'
import { expect, test } from 'vitest'
import { itemFor, type OrderDue, type ShipQuestion, type ShipRefusal, shipRefusal } from './remoteShip.rules'

const machine = { id: 1, isRetired: false, connection: 'online', licenceMode: 'none' } as const
const slot = { productId: 7, stock: 3, fault: null, isLocked: false, medicine: null, medicineClass: null }
const order: OrderDue = {
  machineId: 1,
  isPaid: true,
  isRepaid: false,
  due: [{ index: 1, productId: 7 }],
  underWay: [],
}
const free: ShipQuestion = { machine, slot, order: undefined }
const due = (changes: Partial<OrderDue>): ShipQuestion => ({ machine, slot, order: { ...order, ...changes } })

const cases: [string, ShipQuestion, ShipRefusal | null][] = [
  ['a gift', free, null],
  ['what an order still has to get', due({}), null],
  ['a retired machine', { ...free, machine: { ...machine, isRetired: true } }, 'command.retired'],
  ['a machine that is away', { ...free, machine: { ...machine, connection: 'offline' } }, 'command.offline'],
  ['a slot that is not there', { ...free, slot: null }, 'remoteShip.noSlot'],
  ['a slot without a product', { ...free, slot: { ...slot, productId: null } }, 'remoteShip.noSlot'],
  ['an empty slot', { ...free, slot: { ...slot, stock: 0 } }, 'remoteShip.empty'],
  ['a motor that stands still', { ...free, slot: { ...slot, fault: '101' } }, 'remoteShip.fault'],
  ['a slot that an excursion or a recall holds', { ...free, slot: { ...slot, isLocked: true } }, 'remoteShip.locked'],
  [
    'a batch that may not come out, for an order too',
    { ...due({}), slot: { ...slot, medicine: 'batchNotForSale' } },
    'remoteShip.batch',
  ],
  [
    'a gift of what is limited for each person',
    { ...free, slot: { ...slot, medicine: 'prescriptionMissing' } },
    'remoteShip.limited',
  ],
  ['medicine from a drinks machine', { ...free, slot: { ...slot, medicineClass: 'otc_b' } }, 'remoteShip.unlawful'],
  [
    'OTC A from a retail machine',
    { ...free, machine: { ...machine, licenceMode: 'retail' }, slot: { ...slot, medicineClass: 'otc_a' } },
    'remoteShip.unlawful',
  ],
  [
    'prescription medicine as a gift',
    { ...free, machine: { ...machine, licenceMode: 'hospital' }, slot: { ...slot, medicineClass: 'rx' } },
    'remoteShip.prescription',
  ],
  ['an order that is not there', { ...free, order: null }, 'remoteShip.noOrder'],
  ['an order of another machine', due({ machineId: 2 }), 'remoteShip.otherMachine'],
  ['an order whose money went back', due({ isRepaid: true }), 'remoteShip.repaid'],
  ['an unpaid order', due({ isPaid: false }), 'remoteShip.nothingDue'],
  ['an order that got everything', due({ due: [] }), 'remoteShip.nothingDue'],
  ['another product than the order', due({ due: [{ index: 0, productId: 8 }] }), 'remoteShip.otherProduct'],
  ['an item that is on its way', due({ underWay: [1] }), 'remoteShip.again'],
]
test.each(cases)('%s', (_, question, refusal) => {
  expect(shipRefusal(question)).toBe(refusal)
})

test('of two items alike the one that is not on its way is made good', () => {
  const both = { ...order, due: [{ index: 0, productId: 7 }, ...order.due], underWay: [0] }
  expect(itemFor(both, 7)).toBe(1)
})

test('every state of a remote dispense is reached', () => {
  expect(remoteShipState.unreachable()).toEqual([])
})
