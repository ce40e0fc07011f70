import { z } from 'zod'
import { endpoint, listEndpoint, type Permission, zAnyOf, zId, zInstant, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** What a plan may ask an order to bring. */
export const voucherKinds = ['coupon', 'code'] as const
export type VoucherKind = (typeof voucherKinds)[number]

/** Held while an order has the last use that it allows, used once that is paid. */
export const voucherState = stateTable({
  initial: 'unused',
  states: ['unused', 'held', 'used', 'expired', 'cancelled'],
  moves: {
    hold: { from: ['unused'], to: 'held' },
    spend: { from: ['held'], to: 'used' },
    /** Nothing came of its order. */
    free: { from: ['held', 'used'], to: 'unused' },
    expire: { from: ['unused'], to: 'expired' },
    cancel: { from: ['unused'], to: 'cancelled' },
  },
})

export const voucherRefusals = defineRefusals('promotion', {
  'voucher.inHand': 409,
  'voucher.state': 409,
  'voucher.notListed': 409,
  'voucher.tooFew': 409,
  'voucher.nobody': 422,
  'voucher.tooMany': 422,
  'voucher.cancelled': 409,
  'voucher.nothingLeft': 409,
  'voucher.sold': 409,
})

export const MOST_CODES = 100_000
/** Coupons given out in one go. */
export const MOST_COUPONS = 10_000
const zReason = zNeeded(200).min(2)

const voucher = z.object({
  id: z.int(),
  /** Its last characters: what lists and people tell it by. */
  tail: z.string(),
  planId: z.int(),
  planName: z.string(),
  merchantName: z.string(),
  batchId: z.int(),
  state: z.enum(voucherState.states),
  memberId: z.int().nullable(),
  memberNumber: z.string().nullable(),
  memberName: z.string().nullable(),
  uses: z.int(),
  usesAllowed: z.int(),
  /** The newest order that has it. */
  orderId: z.int().nullable(),
  orderNo: z.string().nullable(),
  /** Of all its orders that are paid. */
  givenFen: zFenPositive,
  usedAt: zInstant.nullable(),
  validFrom: zInstant,
  expiresAt: zInstant,
  createdAt: zInstant,
})
export type Voucher = z.output<typeof voucher>

export const voucherFields = {
  id: { kind: 'count' },
  tail: { kind: 'code' },
  planName: { kind: 'text' },
  merchantName: { kind: 'text' },
  batchId: { kind: 'count' },
  state: stateField('voucherState', voucherState, {
    unused: 'good',
    held: 'busy',
    used: 'idle',
    expired: 'idle',
    cancelled: 'bad',
  }),
  memberNumber: { kind: 'text', to: 'hygl/glwdhy', search: { q: 'memberNumber' } },
  memberName: { kind: 'text' },
  uses: { kind: 'count' },
  usesAllowed: { kind: 'count' },
  orderNo: { kind: 'text', to: 'jygl/ddgl', search: { open: 'orderId' } },
  givenFen: { kind: 'money' },
  usedAt: { kind: 'dateTime' },
  validFrom: { kind: 'dateTime' },
  expiresAt: { kind: 'dateTime' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

const use = z.object({
  orderId: z.int(),
  orderNo: z.string(),
  machineCode: z.string(),
  fen: zFenPositive,
  /** What was paid for the whole order. */
  saleFen: zFenPositive.nullable(),
  usedAt: zInstant,
  spentAt: zInstant.nullable(),
  releasedAt: zInstant.nullable(),
})

const read = (access: Permission) => ({ method: 'GET' as const, access })
const write = (access: Permission) => ({ method: 'POST' as const, access, writes: true })

const listOfVouchers = (name: string, path: string, access: Permission, summary: string) =>
  listEndpoint({
    name,
    path,
    access,
    summary,
    filters: {
      /** The whole number, or how it ends. */
      tail: zSearch.optional(),
      state: zAnyOf(voucherState.states).optional(),
      planId: zId.optional(),
      batchId: zId.optional(),
      memberNumber: zSearch.optional(),
      merchantId: zId.optional(),
    },
    sorts: ['newest'],
    item: voucher,
  })

const oneVoucher = (name: string, path: string, access: Permission, summary: string) =>
  endpoint({
    ...read(access),
    name,
    path,
    input: z.strictObject({ id: zId }),
    output: voucher.extend({
      reason: z.string(),
      createdBy: z.string().nullable(),
      endedAt: zInstant.nullable(),
      endedBy: z.string().nullable(),
      endReason: z.string(),
      orders: z.array(use),
    }),
    refusals: ['request.notFound'],
    summary,
  })

const cancelOne = (name: string, path: string, access: Permission, summary: string) =>
  endpoint({
    ...write(access),
    name,
    path,
    input: z.strictObject({ id: zId, reason: zReason }),
    output: z.object({ id: z.int() }),
    refusals: ['request.notFound', 'voucher.inHand', 'voucher.state'],
    summary,
  })

const revealOne = (name: string, path: string, access: Permission, summary: string) =>
  endpoint({
    ...write(access),
    name,
    path,
    input: z.strictObject({ id: zId, reason: zReason }),
    output: z.object({ code: z.string() }),
    refusals: ['request.notFound', 'voucher.state'],
    summary,
  })

const cancelMany = (name: string, path: string, access: Permission, summary: string) =>
  endpoint({
    ...write(access),
    name,
    path,
    input: z.strictObject({ id: zId, reason: zReason }),
    output: z.object({ id: z.int() }),
    refusals: ['request.notFound', 'voucher.cancelled'],
    summary,
  })

const release = (name: string, path: string, access: Permission, summary: string) =>
  endpoint({
    ...write(access),
    name,
    path,
    input: z
      .strictObject({
        id: zId,
        fromSerial: z.coerce.number().int().min(1).max(MOST_CODES).default(1),
        toSerial: z.coerce.number().int().min(1).max(MOST_CODES),
      })
      .refine(({ fromSerial, toSerial }) => fromSerial <= toSerial, { path: ['toSerial'] }),
    output: z.object({ releaseId: z.int(), count: z.int() }),
    refusals: ['request.notFound', 'voucher.nothingLeft'],
    summary,
  })

const released = z.object({
  id: z.int(),
  serial: z.int(),
  voucherCode: z.string(),
  planName: z.string(),
  merchantName: z.string(),
  expiresAt: zInstant,
})
export type ReleasedVoucher = z.output<typeof released>

const listOfReleased = (name: string, path: string, access: Permission, summary: string) =>
  listEndpoint({ name, path, access, summary, filters: { releaseId: zId }, sorts: ['serial'], item: released })

export const releasedFields = {
  serial: { kind: 'count' },
  voucherCode: { kind: 'code' },
  planName: { kind: 'text' },
  merchantName: { kind: 'text' },
  expiresAt: { kind: 'dateTime' },
} satisfies Fields

export const listCoupons = listOfVouchers(
  'promotion.listCoupons',
  '/api/coupons',
  'coupon.read',
  'Coupons that were given out: who holds each, how it stands, and the order that it made cheaper',
)
export const getCoupon = oneVoucher('promotion.getCoupon', '/api/coupons/{id}', 'coupon.read', 'One coupon')
export const cancelCoupon = cancelOne(
  'promotion.cancelCoupon',
  '/api/coupons/{id}/cancel',
  'coupon.write',
  'Take one coupon back; no order is changed',
)
export const revealCoupon = revealOne(
  'promotion.revealCoupon',
  '/api/coupons/{id}/reveal',
  'coupon.write',
  'The number of one coupon in clear, to be given to its holder',
)
export const cancelCouponIssue = cancelMany(
  'promotion.cancelCouponIssue',
  '/api/coupon-issues/{id}/cancel',
  'coupon.write',
  'Take back all coupons of one issue that are not used',
)
export const releaseCoupons = release(
  'promotion.releaseCoupons',
  '/api/coupon-issues/{id}/release',
  'coupon.write',
  'Open the numbers of coupons of one issue for a file, for the caller alone and for a day',
)
export const listReleasedCoupons = listOfReleased(
  'promotion.listReleasedCoupons',
  '/api/coupon-numbers',
  'coupon.write',
  'Numbers of coupons in clear that the caller has opened',
)

export const listCodes = listOfVouchers(
  'promotion.listCodes',
  '/api/promotion-codes',
  'promotionCode.read',
  'Promotion codes by their last characters: how each stands, how often it was used, and its newest order',
)
export const getCode = oneVoucher('promotion.getCode', '/api/promotion-codes/{id}', 'promotionCode.read', 'One code')
export const cancelCode = cancelOne(
  'promotion.cancelCode',
  '/api/promotion-codes/{id}/cancel',
  'promotionCode.write',
  'End one code; no order is changed',
)
export const revealCode = revealOne(
  'promotion.revealCode',
  '/api/promotion-codes/{id}/reveal',
  'promotionCode.write',
  'One code in clear',
)
export const cancelCodeBatch = cancelMany(
  'promotion.cancelCodeBatch',
  '/api/code-batches/{id}/cancel',
  'promotionCode.write',
  'End all codes of a batch that are not used up; what is not made yet is not made',
)
export const releaseCodes = release(
  'promotion.releaseCodes',
  '/api/code-batches/{id}/release',
  'promotionCode.write',
  'Open codes of a batch in clear for a file, for the caller alone and for a day',
)
export const listReleasedCodes = listOfReleased(
  'promotion.listReleasedCodes',
  '/api/code-numbers',
  'promotionCode.write',
  'Promotion codes in clear that the caller has opened',
)
