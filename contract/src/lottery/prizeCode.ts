import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { CODE_ALPHABET, plainCode } from '../kernel/codes'
import { claimFields } from './claim'
import { playFields } from './play'
import { prizeState } from './states'

/** Longer than a pick-up code, so that neither is taken for the other. */
export const PRIZE_CODE_LENGTH = 12

const pattern = new RegExp(`^[${CODE_ALPHABET}]{${PRIZE_CODE_LENGTH}}$`)
export const isPrizeCode = (typed: string): boolean => pattern.test(plainCode(typed))

export const prizeCodeRefusals = defineRefusals('lottery', { 'prizeCode.unknown': 422 })

/** As it is typed or scanned; one that nobody gave out is unknown, however it is written. */
const zCode = z.string().max(40).transform(plainCode)

/** Why a code gives its prize, or does not. */
export const prizeCodeOutcomes = ['valid', 'claimed', 'shipping', 'dispensed', 'collected'] as const

export const checkPrizeCode = endpoint({
  name: 'lottery.checkPrizeCode',
  method: 'GET',
  path: '/api/prize-codes/check',
  access: 'lotteryRecord.claim',
  input: z.strictObject({ code: zCode }),
  output: z.object({
    outcome: z.enum(prizeCodeOutcomes),
    playId: z.int(),
    orderNo: z.string(),
    productName: z.string(),
    picture: z.string().nullable(),
    prizeFen: zFenPositive,
    prizeState: z.enum(prizeState.states),
    machineCode: z.string(),
    machineName: z.string(),
    slotCode: z.string(),
    wonAt: zInstant,
    collectedAt: zInstant.nullable(),
    /** Where the prize can be taken from: stores and fillers of its merchant that have it. */
    places: z.array(z.object({ id: z.int(), name: z.string(), kind: z.string(), quantity: z.int() })),
  }),
  refusals: ['prizeCode.unknown'],
  summary: 'The prize that a code stands for, and whether it may still be handed over',
})

const redemption = z.object({
  id: z.int(),
  orderNo: z.string(),
  productId: z.int(),
  productName: z.string(),
  prizeFen: zFenPositive,
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  /** Null: from outside the stock that is kept here. */
  placeName: z.string().nullable(),
  redeemedByName: z.string(),
  redeemedAt: zInstant,
})
export type Redemption = z.output<typeof redemption>

export const listRedemptions = listEndpoint({
  name: 'lottery.listRedemptions',
  path: '/api/prize-redemptions',
  access: 'lotteryRecord.read',
  summary: 'Prizes handed over for their code, newest first',
  filters: {
    orderNo: zSearch.optional(),
    product: zSearch.optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: redemption,
})

const { orderNo, productName, prizeFen, machineCode, machineName, merchantName } = claimFields
export const redemptionFields = {
  orderNo,
  productName,
  prizeFen,
  machineCode,
  machineName,
  merchantName,
  prizeState: playFields.prizeState,
  placeName: { kind: 'text' },
  redeemedByName: { kind: 'text' },
  redeemedAt: { kind: 'dateTime' },
} satisfies Fields

export const redeemPrize = endpoint({
  name: 'lottery.redeemPrize',
  method: 'POST',
  path: '/api/prize-redemptions',
  access: 'lotteryRecord.claim',
  writes: true,
  input: z.strictObject({
    code: zCode,
    /** Null: from outside the stock that is kept here. */
    placeId: zId.nullable().default(null),
  }),
  output: z.object({ id: z.int() }),
  refusals: ['prizeCode.unknown', 'claim.notOwed', 'claim.open', 'claim.noStock'],
  summary: 'Hand a prize over for its code; it leaves the stock, and the code is spent',
})
