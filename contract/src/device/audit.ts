import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'

const sold = z.object({ count: z.int(), fen: z.int() })

/** Of a selection, between the last two audit files that are believed. */
const line = z.object({
  slot: z.string(),
  productName: z.string().nullable(),
  /** As set in the machine, and here. */
  machinePriceFen: z.int().nullable(),
  priceFen: z.int().nullable(),
  /** What the controller counted; null where it has no earlier count. */
  counted: sold.nullable(),
  /** What orders say came out. */
  ordered: sold,
  /** What stock moves say left the slot by selling. */
  moved: z.int(),
})

export const getAuditFiles = endpoint({
  name: 'device.getAuditFiles',
  method: 'GET',
  path: '/api/machines/{id}/audit-files',
  access: 'machine.read',
  input: z.strictObject({ id: zId }),
  output: z.object({
    reads: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['interval', 'fill', 'collect']),
        readAt: zInstant,
        fault: z.enum(['notDex', 'noEnd', 'lineCount', 'checkValue', 'wrongMachine']).nullable(),
        epoch: z.int(),
        paidCount: z.int().nullable(),
        paidFen: z.int().nullable(),
        cashInFen: z.int().nullable(),
        /** Since the machine was initialised: turned to try, and let out for nothing. */
        testCount: z.int().nullable(),
        freeCount: z.int().nullable(),
        powerCuts: z.int().nullable(),
        /** What the controller noted, those that last first. */
        events: z.array(z.object({ id: z.string(), sinceInit: z.int(), isActive: z.boolean() })),
      }),
    ),
    /** Null until two files of one board are there. */
    between: z
      .object({
        from: zInstant,
        to: zInstant,
        lines: z.array(line),
        cashless: sold.nullable(),
        cash: sold.nullable(),
        /** What orders say was sold for cash meanwhile. */
        cashOrderedFen: z.int(),
        /** What the machine should hold as cash since it was last emptied. */
        cashInFen: z.int().nullable(),
      })
      .nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'The audit files of a machine, and what its counters say beside orders and stock',
})

/** The three ways in which a slot's sales are counted do not agree; the controller's own has to be known. */
export const isCountApart = ({ counted, ordered, moved }: z.output<typeof line>): boolean =>
  counted !== null && (counted.count !== ordered.count || ordered.count !== moved)

/** Where the machine says what it asks for a slot, and asks for something else than is set here. */
export const isPriceApart = ({ machinePriceFen, priceFen }: z.output<typeof line>): boolean =>
  machinePriceFen !== null && priceFen !== null && machinePriceFen !== priceFen

/** How far cash may be off before somebody has to look: change that was rounded, a coin that stuck. */
export const CASH_APART_FEN = 1_000

/** Where the controller counts its cash sales, and they are not what orders say by more than that. */
export const isCashApart = ({ cash, cashOrderedFen }: Pick<Between, 'cash' | 'cashOrderedFen'>): boolean =>
  cash !== null && Math.abs(cash.fen - cashOrderedFen) >= CASH_APART_FEN

type Between = NonNullable<z.output<typeof getAuditFiles.output>['between']>
