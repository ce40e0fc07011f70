import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Device, connectDevice } from '../../../../../fleet/src/link/client'
import { sell } from '../../../../../fleet/src/machine/sale'
import { openTestWorld } from '../../../../../fleet/src/testing'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { issueCard, issueCodes } from '../../../testing/tenders'
import { openWorld, type World } from '../../../testing/world'
import { openEmbeddedBroker } from '../../../transport/mqtt/embedded'
import { contradictions } from '../../trade/recount'
import { startGateway } from '../link/gateway'

type Fleet = Awaited<ReturnType<typeof openTestWorld>>
let world: World
let fleet: Fleet
let url: string
let merchantId: number
let strangerId: number
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  world = await openWorld(new Date())
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  strangerId = await addMerchant(db, { parentId: platformId })
  const port = await freePort()
  const link = await openEmbeddedBroker('127.0.0.1', port, {
    mayConnect: async () => true,
    onForbidden: () => undefined,
    onTooLarge: () => undefined,
  })
  const gateway = startGateway(world.services, link, { hear: () => () => undefined })
  url = `mqtt://127.0.0.1:${port}`
  fleet = await openTestWorld({ url }, join(world.services.dataDir, 'fleet'))
  closers.push(fleet.stop, gateway.stop, () => link.stop(), world.close)
})
afterAll(async () => {
  for (const close of closers) await close()
})

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function newMachine(owner = merchantId): Promise<BuiltMachine> {
  const { db } = world.services
  const products = [await addProduct(db, { merchantId: owner }), await addProduct(db, { merchantId: owner })]
  return addMachine(db, { merchantId: owner, products })
}
const productsOf = ({ slots }: BuiltMachine) => slots.map(({ productId }) => productId)

/** A simulated machine with what its customers hold. */
async function start({ code, slots }: BuiltMachine, held: { codes?: string[]; cards?: string[] }) {
  const plan = slots.map((slot) => ({
    code: slot.code,
    product: slot.productCode,
    priceFen: 500,
    stock: 5,
    capacity: 8,
  }))
  const machine = await fleet.start({ code, takesCash: false, slots: plan, ...held })
  await expect.poll(() => machine.isUp).toBe(true)
  return machine
}
const orderOf = async ({ id }: BuiltMachine) => {
  const found = await sql`select method, business_type as type, paid_fen as paid, payment_state as payment,
    ship_state as ship, tender_code as code from orders where machine_id = ${id}`.execute(world.services.db)
  return found.rows
}
const connect = ({ code }: BuiltMachine): Promise<Device> => connectDevice({ url, code, secret: 'secret' })

test('a simulated machine asks what a code gives, hands it out, and the order says how it was paid', async () => {
  const built = await newMachine()
  const { codes } = await issueCodes(world, { merchantId, content: productsOf(built) })
  const machine = await start(built, { codes })
  expect(await sell(machine, { slots: ['A1'], method: 'pickup_code' })).toBe('sold')
  await expect.poll(() => orderOf(built)).toMatchObject([{ method: 'pickup_code', paid: 0, ship: 'completed' }])
  expect(machine.turns).toBe(2)
  const state = await sql`select state from pickup_code where tail = ${codes[0]?.slice(-4)}`.execute(world.services.db)
  expect(state.rows).toEqual([{ state: 'fully_shipped' }])
})

test('a simulated machine charges a card with what was chosen, and leaves one alone that has too little', async () => {
  const built = await newMachine()
  const { physicalNo } = await issueCard(world, { merchantId, balanceFen: 700 })
  const machine = await start(built, { cards: [physicalNo] })
  expect(await sell(machine, { slots: ['A1'], method: 'member_card' })).toBe('sold')
  await expect.poll(() => orderOf(built)).toMatchObject([{ method: 'member_card', paid: 500, payment: 'paid' }])
  for (const held of machine.cards) held.freeFromMs = 0
  expect(await sell(machine, { slots: ['A2'], method: 'member_card' })).toBe('abandoned')
  expect(await orderOf(built)).toHaveLength(1)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('a check says what is left and holds nothing; what is spent says so', async () => {
  const built = await newMachine()
  const [first, second] = productsOf(built)
  const { codes } = await issueCodes(world, { merchantId, content: [first ?? 0, second ?? 0, first ?? 0], pickups: 2 })
  const device = await connect(built)
  const [code = ''] = codes
  const whole = {
    content: [
      { product: built.slots[0]?.productCode, pieces: 2 },
      { product: built.slots[1]?.productCode, pieces: 1 },
    ],
    pickupsLeft: 2,
  }
  expect(await device.check('pickup.check', code.toLowerCase())).toMatchObject(whole)
  expect(await device.check('pickup.check', `${code.slice(0, 5)}-${code.slice(5)}`)).toMatchObject(whole)
  const paid = await device.request({ orderNo: 'K-1', method: 'pickup_code', code, items: [{ slot: 'A1' }] })
  expect(paid).toMatchObject({ isPaid: true, amountFen: 0 })
  expect(await device.check('pickup.check', code)).toMatchObject({ refused: 'codeSpent' })
  expect(JSON.stringify(await device.check('pickup.check', codes[0] ?? ''))).not.toContain(code)
  const card = await issueCard(world, { merchantId, balanceFen: 800, giftFen: 300, singleMaxFen: 600 })
  expect(await device.check('card.check', card.physicalNo.toUpperCase())).toMatchObject({
    balanceFen: 800,
    giftFen: 300,
    mostFen: 600,
  })
  const locked = await issueCard(world, { merchantId, state: 'locked' })
  expect(await device.check('card.check', locked.physicalNo)).toMatchObject({ refused: 'cardNotActive' })
  await device.close()
})

test('guesses count on one tally however they are asked, and what others gave out is nobody’s', async () => {
  const [built, far] = [await newMachine(), await newMachine(strangerId)]
  const { codes } = await issueCodes(world, { merchantId, content: productsOf(built) })
  const { codes: theirs } = await issueCodes(world, { merchantId: strangerId, content: productsOf(far) })
  const device = await connect(built)
  const order = (orderNo: string, code: string) =>
    device.request({ orderNo, method: 'pickup_code', code, items: [{ slot: 'A1' }] })
  for (let n = 0; n < 3; n += 1) {
    expect(await device.check('pickup.check', theirs[0] ?? '')).toMatchObject({ refused: 'codeUnknown' })
    expect(await order(`G-${n}`, 'AAAAA-AAAAA')).toMatchObject({ refused: 'codeUnknown' })
  }
  expect(await device.check('pickup.check', codes[0] ?? '')).toMatchObject({ refused: 'codesBlocked' })
  expect(await order('G-9', codes[0] ?? '')).toMatchObject({ refused: 'codesBlocked' })
  const own = await issueCard(world, { merchantId })
  const foreign = await issueCard(world, { merchantId: strangerId })
  expect(await device.check('card.check', own.physicalNo)).toMatchObject({ mostFen: 1_000 })
  for (let n = 0; n < 6; n += 1) {
    expect(await device.check('card.check', foreign.physicalNo)).toMatchObject({ refused: 'cardUnknown' })
  }
  const buying = { orderNo: 'G-10', method: 'member_card', code: own.physicalNo, items: [{ slot: 'A1' }] } as const
  expect(await device.request({ ...buying, items: [{ slot: 'A1' }] })).toMatchObject({ refused: 'cardsBlocked' })
  await device.close()
})

test.each(['pickup.check', 'card.check'] as const)(
  'asking %s sixty-four times at once brings no more tries',
  async (type) => {
    const built = await newMachine()
    const device = await connect(built)
    const answers = await Promise.all(Array.from({ length: 64 }, () => device.check(type, 'ffffffff')))
    const said = answers.map((answer) => ('refused' in answer ? answer.refused : 'told'))
    expect(said.filter((reason) => reason.endsWith('Unknown'))).toHaveLength(6)
    expect(said.filter((reason) => reason.endsWith('sBlocked'))).toHaveLength(58)
    await device.close()
  },
)
