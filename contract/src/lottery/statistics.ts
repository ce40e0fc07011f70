import { z } from 'zod'
import { endpoint, listEndpoint, zDay, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFen, zFenPositive } from '../kernel/money'

const winGroups = ['machine', 'product', 'day'] as const
/** Whether what was won fits the odds that were set. */
export const winVerdicts = ['plausible', 'tooMany', 'tooFew'] as const

const row = z.object({
  id: z.int(),
  /** Of the machine or product; the day itself. */
  code: z.string(),
  name: z.string(),
  plays: z.int(),
  wins: z.int(),
  /** The odds that were set, over all plays, and what came of them; with one decimal. */
  oddsPermille: z.number(),
  ratePermille: z.number(),
  /** Wins that chance alone explains in 99 of 100 cases lie between these, both included. */
  leastWins: z.int(),
  mostWins: z.int(),
  verdict: z.enum(winVerdicts),
  stakeFen: zFenPositive,
  costFen: zFenPositive,
  prizeFen: zFenPositive,
  marginFen: zFen,
})
export type WinRow = z.output<typeof row>

const asked = {
  merchantId: zId.optional(),
  machineId: zId.optional(),
  from: zDay.optional(),
  to: zDay.optional(),
}

/** Without days the last 30. */
export const listWins = listEndpoint({
  name: 'lottery.listWins',
  path: '/api/wins',
  access: 'lotteryRecord.read',
  summary: 'Plays, wins and prize cost by machine, product or day, held against the odds that were set',
  filters: {
    by: z.enum(winGroups).optional(),
    q: zSearch.optional(),
    verdict: z.enum(winVerdicts).optional(),
    /** One row alone, as its drawer asks for it. */
    row: z.coerce.number().int().positive().optional(),
    ...asked,
  },
  sorts: ['plays', 'name'],
  item: row,
  sums: { stakeFen: zFen, costFen: zFen, marginFen: zFen },
})

export const summariseWins = endpoint({
  name: 'lottery.summariseWins',
  method: 'GET',
  path: '/api/wins/summary',
  access: 'lotteryRecord.read',
  input: z.strictObject(asked),
  output: row.omit({ id: true, code: true, name: true }).extend({
    machines: z.int(),
    tooMany: z.int(),
    tooFew: z.int(),
  }),
  summary: 'All plays of the period against the odds, and how many machines lie outside of what chance explains',
})

export const winFields = {
  code: { kind: 'code' },
  name: { kind: 'text' },
  plays: { kind: 'count' },
  wins: { kind: 'count' },
  oddsPermille: { kind: 'count' },
  ratePermille: { kind: 'count' },
  leastWins: { kind: 'count' },
  mostWins: { kind: 'count' },
  verdict: stateField('winVerdict', winVerdicts, { plausible: 'good', tooMany: 'bad', tooFew: 'warn' }),
  stakeFen: { kind: 'money' },
  costFen: { kind: 'money' },
  prizeFen: { kind: 'money' },
  marginFen: { kind: 'money' },
} satisfies Fields
