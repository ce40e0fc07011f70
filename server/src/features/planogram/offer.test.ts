import {
  addMedicineOffer,
  editMedicineOffer,
  getMedicineOffer,
  stopMedicineOffer,
} from '@aisle/contract/medicine/offer'
import { listMedicineChoices } from '@aisle/contract/pharmacy/medicine'
import { listPlaceable } from '@aisle/contract/planogram/slot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { medicine } from '../medicine/manifest'
import { pharmacy } from '../pharmacy/manifest'
import { planogram } from './manifest'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let machine: BuiltMachine
let product: { id: number; code: string }

beforeAll(async () => {
  world = await openWorld(NOON)
  const { db } = world.services
  const routes = [medicine, pharmacy, planogram].flatMap((each) => each.routes ?? [])
  http = await openHttp(world, routesWith(...routes))
  family = await addFamily(db, NOON)
  const { merchantId } = family.ours
  product = await addProduct(db, { merchantId: family.platformId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [], licenceMode: 'hospital' })
  const grants = ['medicine.*', 'planogram.*', 'slot.*', 'template.*', 'prescription.*', 'machine.*']
  const user = await addUser(db, { merchantId, kind: 'merchant_admin', grants })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const placed = async () => {
  const { data } = await call(listPlaceable, { id: machine.id, q: product.code })
  return (data.items as { priceFen: number }[]).map(({ priceFen }) => priceFen)
}
const chosen = async () => ((await call(listMedicineChoices, { q: product.code })).data.items as unknown[]).length

test('a pharmacy’s own price is proposed, and what is off its shelf is neither planned nor prescribed', async () => {
  const { merchantId } = family.ours
  const [before = 0] = await placed()
  const offer = { merchantId, productId: product.id }
  const id = Number((await call(addMedicineOffer, { ...offer, priceFen: before + 50 })).data.id)
  expect((await call(addMedicineOffer, offer)).code).toBe('offer.taken')
  expect(await placed()).toEqual([before + 50])
  expect(await chosen()).toBe(1)
  const { version } = (await call(getMedicineOffer, { id })).data
  expect((await call(editMedicineOffer, { id, version, priceFen: null, remark: '' })).status).toBe(200)
  expect(await placed()).toEqual([before])
  expect((await call(stopMedicineOffer, { id })).status).toBe(200)
  expect(await placed()).toEqual([])
  expect(await chosen()).toBe(0)
})

test('a medicine of another line can’t be offered', async () => {
  const { id } = await addProduct(world.services.db, { merchantId: family.theirs.merchantId, medicineClass: 'otc_b' })
  const asked = { merchantId: family.ours.merchantId, productId: id }
  expect((await call(addMedicineOffer, asked)).code).toBe('offer.notOfLine')
})
