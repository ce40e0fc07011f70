import { addCouponPlan, issueCoupons, listCouponPlan } from '@aisle/contract/promotion/coupon'
import { getCoupon, listCoupons, listReleasedCoupons, releaseCoupons } from '@aisle/contract/promotion/voucher'
import { applyRefund } from '@aisle/contract/refund/verbs'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { routes as voucherRoutes } from '../promotion/voucher/voucher.routes'
import { contradictions } from '../trade/recount'
import { routes } from './refund.routes'
import { NOON, openShop, type Shop } from './testing'

let shop: Shop
let http: HttpWorld
let machine: BuiltMachine
let token: string

beforeAll(async () => {
  shop = await openShop()
  http = await openHttp(shop.world, routesWith(...routes, ...voucherRoutes))
  const { merchantId } = shop
  token = await addSession(shop.db, (await addUser(shop.db, { merchantId, grants: ['refund.*', 'coupon.*'] })).id, NOON)
  machine = await shop.newMachine()
})
afterAll(async () => {
  await http.close()
  await shop.close()
})

async function data<T = { id: number }>(endpoint: Endpoint, input: Record<string, unknown>): Promise<T> {
  const { status, body } = await http.call(endpoint, input, { token })
  expect({ status, code: body.code }).toMatchObject({ status: 200 })
  return body.data as T
}
type Coupon = { id: number; state: string; expiresAt: string; orders: { releasedAt: string | null }[] }
type Items<T> = { items: T[] }

/** Coupons of two yuan off ten, for whoever brings them. */
async function coupons(count: number): Promise<{ planId: number; codes: string[] }> {
  const said = { name: 'two off', kind: 'threshold', leastFen: 1000, amountFen: 200, endsOn: '2026-11-21' }
  const { id: planId } = await data(addCouponPlan, said)
  await data(listCouponPlan, { id: planId })
  const { id } = await data(issueCoupons, { planId, audience: 'bearer', count, reason: 'for the test' })
  const { releaseId } = await data<{ releaseId: number }>(releaseCoupons, { id, fromSerial: 1, toSerial: count })
  const { items } = await data<Items<{ voucherCode: string }>>(listReleasedCoupons, { releaseId })
  return { planId, codes: items.map(({ voucherCode }) => voucherCode) }
}

async function boughtWith(voucher: string, mine: string): Promise<string> {
  const items = [{ slot: 'A1' }, { slot: 'A2' }]
  await shop.say(machine, 'order.request', { orderNo: mine, method: 'wechat', items, voucher })
  await shop.askChannels()
  const orderNo = `${machine.code}-${mine}`
  expect(await shop.pay(orderNo)).toBeNull()
  shop.later(1)
  await shop.askChannels()
  await shop.vended(machine, mine, [true, true])
  return orderNo
}

test('what was paid with a coupon goes back as paid; once all of it has, the coupon is good again', async () => {
  const { planId, codes } = await coupons(1)
  const orderNo = await boughtWith(codes[0] ?? '', 'V-1')
  expect(await shop.order(orderNo)).toMatchObject({ paid_fen: 800, payment_state: 'paid' })
  const [own] = (await data<Items<Coupon>>(listCoupons, { planId })).items
  const coupon = () => data<Coupon>(getCoupon, { id: own?.id })
  expect(await coupon()).toMatchObject({ state: 'used' })
  const reason = '顾客来电'
  await data(applyRefund, { orderNo, items: [0], reason })
  await shop.settle()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'partly_refunded', refunded_fen: 400 })
  expect(await coupon()).toMatchObject({ state: 'used', orders: [{ releasedAt: null }] })
  await data(applyRefund, { orderNo, items: [1], reason })
  await shop.settle()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunded', refunded_fen: 800 })
  const back = await coupon()
  expect(back).toMatchObject({ state: 'unused', orders: [{ releasedAt: expect.any(String) }] })
  // It had a day left; who got the money back has three.
  expect(Date.parse(back.expiresAt) - shop.services.clock.now().getTime()).toBeGreaterThan(2.9 * 86_400_000)
  expect((await shop.order(await boughtWith(codes[0] ?? '', 'V-2'))).paid_fen).toBe(800)
  expect(await contradictions(shop.db)).toEqual([])
})
