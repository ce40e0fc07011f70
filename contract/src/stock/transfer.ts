import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** Goods between two warehouses of a merchant; until somebody there has counted them they are on their way. */
export const transferState = stateTable({
  initial: 'onWay',
  states: ['onWay', 'arrived', 'calledBack'],
  moves: {
    arrive: { from: ['onWay'], to: 'arrived' },
    callBack: { from: ['onWay'], to: 'calledBack' },
  },
})

export const transferRefusals = defineRefusals('stock', {
  'transfer.state': 409,
  'transfer.same': 422,
  'transfer.merchants': 422,
  /** A product and batch stands in it twice. */
  'transfer.twice': 422,
  /** A medicine goes by its batch. */
  'transfer.batch': 422,
  /** Lines that were not sent, or more of one than was. */
  'transfer.lines': 422,
})

const transfer = z.object({
  id: z.int(),
  no: z.string(),
  merchantId: z.int(),
  merchantName: z.string(),
  fromName: z.string(),
  toName: z.string(),
  state: z.enum(transferState.states),
  pieces: z.int(),
  /** Of those that arrived: how many were missing. */
  lost: z.int(),
  note: z.string(),
  sender: z.string(),
  sentAt: zInstant,
  ender: z.string().nullable(),
  endedAt: zInstant.nullable(),
})
export type Transfer = z.output<typeof transfer>

export const listTransfers = listEndpoint({
  name: 'stock.listTransfers',
  path: '/api/transfers',
  access: 'warehouse.read',
  summary: 'Goods between warehouses in sight, newest first',
  filters: {
    q: zSearch.optional(),
    state: zAnyOf(transferState.states).optional(),
    warehouseId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest'],
  item: transfer,
})

export const transferFields = {
  no: { kind: 'code' },
  state: stateField('transferState', transferState, { onWay: 'busy', arrived: 'good', calledBack: 'idle' }),
  fromName: { kind: 'text' },
  toName: { kind: 'text' },
  pieces: { kind: 'count' },
  lost: { kind: 'count' },
  note: { kind: 'text' },
  sender: { kind: 'text' },
  sentAt: { kind: 'dateTime' },
  ender: { kind: 'text' },
  endedAt: { kind: 'dateTime' },
  merchantName: { kind: 'text' },
} satisfies Fields

export const getTransfer = endpoint({
  name: 'stock.getTransfer',
  method: 'GET',
  path: '/api/transfers/{id}',
  access: 'warehouse.read',
  input: z.strictObject({ id: zId }),
  output: transfer.extend({
    valueFen: zFen,
    lines: z.array(
      z.object({
        line: z.int(),
        productCode: z.string(),
        productName: z.string(),
        specification: z.string(),
        batch: z.string(),
        quantity: z.int(),
        arrived: z.int().nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One transfer with its lines',
})

const count = z.coerce.number().int().min(1).max(1_000_000)
export const zTransferLines = z
  .array(z.strictObject({ productId: zId, batch: zLine(120).default(''), quantity: count }))
  .min(1)
  .max(200)

const written = { method: 'POST' as const, access: 'warehouse.write' as const, writes: true }
const ended = z.object({ id: z.int(), state: z.enum(transferState.states) })

export const sendTransfer = endpoint({
  ...written,
  name: 'stock.sendTransfer',
  path: '/api/transfers',
  input: z.strictObject({ fromId: zId, toId: zId, lines: zTransferLines, note: zLine(200).default('') }),
  output: z.object({ id: z.int(), no: z.string() }),
  refusals: [
    'request.notFound',
    'transfer.same',
    'transfer.merchants',
    'transfer.twice',
    'transfer.batch',
    'warehouse.less',
    'warehouse.storage',
    'warehouse.state',
  ],
  summary: 'Goods leave one warehouse for another; until they arrive they are on their way',
})

export const receiveTransfer = endpoint({
  ...written,
  name: 'stock.receiveTransfer',
  path: '/api/transfers/{id}/receive',
  input: z.strictObject({
    id: zId,
    lines: z.array(z.strictObject({ line: z.int(), arrived: z.coerce.number().int().min(0) })).max(200),
  }),
  output: ended,
  refusals: ['request.notFound', 'transfer.state', 'transfer.lines'],
  summary: 'What arrived of each line; what is missing is lost on the way, and booked so',
})

export const callBackTransfer = endpoint({
  ...written,
  name: 'stock.callBackTransfer',
  path: '/api/transfers/{id}/call-back',
  input: z.strictObject({ id: zId }),
  output: ended,
  refusals: ['request.notFound', 'transfer.state'],
  summary: 'It goes back to where it left from, all of it',
})
