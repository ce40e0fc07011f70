import { z } from 'zod'
import { productNameField } from '../catalog/product'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'
import { claimState, playState, prizeState } from './states'

const play = z.object({
  /** Its order's. */
  id: z.int(),
  orderNo: z.string(),
  openedAt: zInstant,
  drawnAt: zInstant.nullable(),
  businessDay: zDay,
  machineCode: z.string(),
  machineName: z.string(),
  merchantName: z.string(),
  slotCode: z.string(),
  productId: z.int(),
  productName: z.string(),
  oddsPermille: z.int(),
  stakeFen: zFenPositive,
  prizeFen: zFenPositive,
  state: z.enum(playState.states),
  prizeState: z.enum(prizeState.states),
  isRevealed: z.boolean(),
})
export type Play = z.output<typeof play>

export const listPlays = listEndpoint({
  name: 'lottery.listPlays',
  path: '/api/plays',
  access: 'order.read',
  summary: 'Plays on machines in sight, newest first, with stakes and prizes of the filter',
  filters: {
    orderNo: zSearch.optional(),
    machineCode: zSearch.optional(),
    product: zSearch.optional(),
    state: zAnyOf(playState.states).optional(),
    prizeState: zAnyOf(prizeState.states).optional(),
    merchantId: zId.optional(),
    machineId: zId.optional(),
    productId: zId.optional(),
    from: zDay.optional(),
    to: zDay.optional(),
  },
  sorts: ['newest'],
  item: play,
  sums: { stakeFen: zFen, wonFen: zFen },
})

export const playFields = {
  orderNo: { kind: 'code' },
  openedAt: { kind: 'dateTime' },
  drawnAt: { kind: 'dateTime' },
  businessDay: { kind: 'day' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  machineName: { kind: 'text' },
  merchantName: { kind: 'text' },
  slotCode: { kind: 'code' },
  productName: productNameField,
  oddsPermille: { kind: 'count' },
  stakeFen: { kind: 'money' },
  prizeFen: { kind: 'money' },
  state: stateField('playState', playState, { opened: 'busy', won: 'good', lost: 'idle', void: 'idle' }),
  prizeState: stateField('prizeState', prizeState, {
    none: 'idle',
    shipping: 'busy',
    dispensed: 'good',
    owed: 'bad',
    collected: 'good',
  }),
  isRevealed: { kind: 'boolean' },
} satisfies Fields

/** What is needed to recompute a draw; the seed is null until it is revealed. */
const proof = {
  seedHash: z.string(),
  seed: z.string().nullable(),
  number: z.int().nullable(),
  committedAt: zInstant,
  revealedAt: zInstant.nullable(),
}

export const getPlay = endpoint({
  name: 'lottery.getPlay',
  method: 'GET',
  path: '/api/plays/{id}',
  access: 'order.read',
  input: z.strictObject({ id: zId }),
  output: play.extend({
    ...proof,
    costFen: zFenPositive,
    /** As trade names them: how the order was paid, and where its shipment is. */
    method: z.string(),
    shipState: z.string(),
    shipSentAt: zInstant.nullable(),
    shipReceivedAt: zInstant.nullable(),
    finishedAt: zInstant.nullable(),
    motorCode: z.string().nullable(),
    sensorCode: z.string().nullable(),
    claims: z.array(
      z.object({
        id: z.int(),
        state: z.enum(claimState.states),
        claimant: z.string(),
        createdAt: zInstant,
        reviewedAt: zInstant.nullable(),
      }),
    ),
    /** Handed over for its code. */
    redeemedAt: zInstant.nullable(),
    redeemedByName: z.string().nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One play with its shipment, its proof and the claims on its prize',
})

export const summarisePlays = endpoint({
  name: 'lottery.summarisePlays',
  method: 'GET',
  path: '/api/plays/summary',
  access: 'order.read',
  input: z.strictObject({}),
  output: z.object({ today: z.int(), won: z.int(), shipping: z.int(), owed: z.int() }),
  summary: 'Plays of today, wins among them, and prizes that are owed',
})

/** For whoever played: they know their order's number from the machine's screen. */
export const getDraw = endpoint({
  name: 'lottery.getDraw',
  method: 'GET',
  path: '/api/draws',
  access: 'public',
  input: z.strictObject({ orderNo: zSearch }),
  /** Null for a number that is no play's. */
  output: z.object({
    draw: z
      .object({
        orderNo: z.string(),
        state: z.enum(playState.states),
        oddsPermille: z.int(),
        drawnAt: zInstant.nullable(),
        ...proof,
      })
      .nullable(),
  }),
  summary: 'What anybody needs to recompute a draw: commitment, seed once it is revealed, number and odds',
})
