import { z } from 'zod'
import { endpoint, zDay, zInstant } from '../kernel/endpoint'
import { zFen } from '../kernel/money'

/** What the dashboard is made of; each shows itself to who may see what it counts. */
export const charts = ['payments', 'topProducts', 'topMachines', 'topOperators'] as const
export const panels = [
  'sales',
  'machines',
  'broken',
  'runningOut',
  'waiting',
  'work',
  'prescriptions',
  ...charts,
] as const
export type Panel = (typeof panels)[number]

/** What people do here, as their roles say it; an administrator looks at everything. */
export const duties = ['platform', 'management', 'operation', 'maintenance', 'pharmacy', 'medical', 'finance'] as const
export type Duty = (typeof duties)[number]

/** What each needs to see first. */
export const arrangements: Record<Duty, readonly Panel[]> = {
  platform: ['sales', 'broken', 'waiting', 'machines', 'runningOut', 'work', ...charts],
  management: ['sales', 'waiting', 'broken', 'runningOut', 'machines', 'work', ...charts],
  operation: ['runningOut', 'sales', 'broken', 'machines', 'waiting', 'work', ...charts],
  maintenance: ['work', 'broken', 'machines', 'runningOut', 'waiting', 'sales', ...charts],
  pharmacy: ['waiting', 'prescriptions', 'broken', 'machines', 'runningOut', 'sales', 'work', ...charts],
  medical: ['prescriptions', 'waiting', 'machines', 'broken', 'runningOut', 'sales', 'work', ...charts],
  finance: ['sales', 'waiting', 'broken', 'machines', 'runningOut', 'work', ...charts],
}

/** The setting in which a demo keeps how much of its history is told. */
export const historyFill = 'demo.history'

export const getArrangement = endpoint({
  name: 'home.getArrangement',
  method: 'GET',
  path: '/api/home/arrangement',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({
    duty: z.enum(duties),
    panels: z.array(z.enum(panels)),
    /** Days of a demo's history that are there already; null where nothing is still being filled in. */
    filling: z.object({ filled: z.int(), of: z.int() }).nullable(),
  }),
  summary: 'What the dashboard shows the caller first, by what their roles are for',
})

/** Fen and orders of 24 hours of the machines' own clocks; `lastWeek` is the same weekday a week before. */
export const getSalesNow = endpoint({
  name: 'home.getSalesNow',
  method: 'GET',
  path: '/api/home/sales',
  access: 'order.read',
  input: z.strictObject({}),
  output: z.object({
    day: zDay,
    lastWeekDay: zDay,
    at: zInstant,
    hour: z.int(),
    todayFen: zFen,
    todayOrders: z.int(),
    /** Up to this very minute of that day. */
    sameTimeFen: zFen,
    sameTimeOrders: z.int(),
    lastWeekFen: zFen,
    hours: z.array(z.object({ fen: zFen, lastWeekFen: zFen })).length(24),
  }),
  summary: 'What machines in sight sold today, beside the same weekday of last week up to the same minute',
})

/** What runs out later than this is no reason to go there yet. */
export const SOON_HOURS = 48

const machine = z.object({
  machineId: z.int(),
  machineCode: z.string(),
  machineName: z.string(),
  pointName: z.string(),
  emptySlots: z.int(),
  /** What the empty slots usually sell in an hour. */
  lostFenHour: zFen,
  /** Until the next slot is empty, as it usually sells; null where nothing of it is known. */
  nextInHours: z.number().nullable(),
  nextProduct: z.string().nullable(),
  /** Pieces that tours bring to it, and whether somebody is under way with them. */
  comingPieces: z.int(),
  isUnderWay: z.boolean(),
})
export type RunningOut = z.output<typeof machine>

export const listRunningOut = endpoint({
  name: 'home.listRunningOut',
  method: 'GET',
  path: '/api/home/running-out',
  access: 'machine.read',
  input: z.strictObject({}),
  output: z.object({
    machines: z.int(),
    emptySlots: z.int(),
    lowSlots: z.int(),
    /** Of all machines in sight, short of something or not (spec §9: out of stock 5/60). */
    slots: z.int(),
    items: z.array(machine),
  }),
  summary: 'Machines in sight that are, or are about to be, out of something; the dearest first',
})
