import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { zFenPositive } from '../kernel/money'
import { defineRefusals } from '../kernel/refusal'
import { stateNames, stateTable } from '../kernel/states'
import { creativeState } from './creative'
import { advertised } from './law'

/** Time on screens that an advertiser has booked. It is played in its days and hours while it runs. */
export const bookingState = stateTable({
  initial: 'running',
  states: ['running', 'paused', 'ended'],
  moves: {
    pause: { from: ['running'], to: 'paused' },
    resume: { from: ['paused'], to: 'running' },
    end: { from: ['running', 'paused'], to: 'ended' },
  },
  sets: { open: ['running', 'paused'] },
})
export type BookingState = (typeof bookingState.states)[number]

/** As it is shown: by its days, where nobody has stopped it. */
export const bookingShown = stateNames(['coming', 'running', 'paused', 'over', 'ended'], {
  open: ['coming', 'running'],
})

/** For each play that a machine proved, for each machine and day by what it proved of it, or for all of it. */
export const priceKinds = ['play', 'machine_day', 'fixed'] as const
export type PriceKind = (typeof priceKinds)[number]

/** What keeps a machine from playing what is booked there. */
export const bookingProblems = ['nowhere', 'school', 'full', 'notTaken', 'failed', 'unreviewed'] as const
export type BookingProblem = (typeof bookingProblems)[number]

export const bookingRefusals = defineRefusals('advert', {
  'booking.state': 409,
  'booking.nameTaken': 409,
  'booking.machines': 422,
  'booking.creatives': 422,
  'booking.school': 422,
  'booking.nowhere': 422,
})

export const [FIRST_PRIORITY, LAST_PRIORITY] = [1, 9] as const
export const MOST_BOOKING_DAYS = 366
const zSome = (most: number) => z.array(zId).max(most).default([])
const zHour = (first: number, last: number) => z.coerce.number().int().min(first).max(last)

const targets = {
  /** None of any kind: all machines of the merchant and of those below it. */
  machineIds: zSome(500),
  groupIds: zSome(50),
  pointIds: zSome(200),
  merchantIds: zSome(50),
}
export type Targets = { [K in keyof typeof targets]: z.output<(typeof targets)[K]> }

const said = {
  name: zNeeded(60),
  advertiser: zNeeded(60),
  contractNo: zLine(40).default(''),
  creativeIds: z.array(zId).min(1).max(10),
  ...targets,
  startsOn: zDay,
  endsOn: zDay,
  /** Hours of the machine's day: from the beginning of the first to the beginning of the last. */
  fromHour: zHour(0, 23).default(0),
  toHour: zHour(1, 24).default(24),
  /** Of all its creatives together, at each machine. */
  playsPerHour: z.coerce.number().int().min(1).max(360),
  priority: z.coerce.number().int().min(FIRST_PRIORITY).max(LAST_PRIORITY).default(5),
  priceKind: z.enum(priceKinds),
  priceFen: z.int().min(0).max(100_000_000_00),
}
export type BookingSaid = { [K in keyof typeof said]: z.output<(typeof said)[K]> }

/** What makes no sense together, by the field that is to be mended. */
export function problemsOfBooking(booking: BookingSaid): (keyof BookingSaid)[] {
  const days = (Date.parse(booking.endsOn) - Date.parse(booking.startsOn)) / 86_400_000
  return [
    ...(days < 0 || days >= MOST_BOOKING_DAYS ? (['endsOn'] as const) : []),
    ...(booking.toHour <= booking.fromHour ? (['toHour'] as const) : []),
    ...(booking.playsPerHour < booking.creativeIds.length ? (['playsPerHour'] as const) : []),
  ]
}

const whole = <T extends z.ZodType<BookingSaid>>(shape: T) =>
  shape.superRefine((booking, ctx) => {
    for (const path of problemsOfBooking(booking))
      ctx.addIssue({ code: 'custom', path: [path], params: { domain: 'advert', rule: `booking.${path}` } })
  })

const booking = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  advertiser: z.string(),
  contractNo: z.string(),
  state: z.enum(bookingShown.states),
  problems: z.array(z.enum(bookingProblems)),
  startsOn: zDay,
  endsOn: zDay,
  fromHour: z.int(),
  toHour: z.int(),
  playsPerHour: z.int(),
  priority: z.int(),
  /** Machines in sight that have it on their list now. */
  machines: z.int(),
  /** Since it began, at machines in sight. */
  bookedPlays: z.int(),
  provenPlays: z.int(),
  priceKind: z.enum(priceKinds),
  priceFen: zFenPositive,
  createdBy: z.string().nullable(),
  createdAt: zInstant,
})
export type Booking = z.output<typeof booking>

export const bookingFields = {
  name: { kind: 'text' },
  advertiser: { kind: 'text' },
  contractNo: { kind: 'text' },
  state: stateField('bookingState', bookingShown, {
    coming: 'idle',
    running: 'good',
    paused: 'warn',
    over: 'idle',
    ended: 'idle',
  }),
  problems: {
    kind: 'states',
    words: 'bookingProblem',
    tones: { nowhere: 'bad', school: 'warn', full: 'warn', notTaken: 'busy', failed: 'bad', unreviewed: 'warn' },
  },
  startsOn: { kind: 'day' },
  endsOn: { kind: 'day' },
  fromHour: { kind: 'count' },
  toHour: { kind: 'count' },
  playsPerHour: { kind: 'count' },
  priority: { kind: 'count' },
  machines: { kind: 'count' },
  bookedPlays: { kind: 'count' },
  provenPlays: { kind: 'count' },
  priceKind: { kind: 'state', words: 'priceKind', tones: {} },
  priceFen: { kind: 'money' },
  merchantName: { kind: 'text' },
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
} satisfies Fields

export const listBookings = listEndpoint({
  name: 'advert.listBookings',
  path: '/api/advert-bookings',
  access: 'advert.read',
  summary: 'What advertisers booked, with the plays that machines proved of it and what stands in its way',
  filters: {
    /** In its name, advertiser or contract number. */
    q: zSearch.optional(),
    state: zAnyOf(bookingShown.states).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['newest', 'starts'],
  item: booking,
})

/** What a machine has of it: its list as the server wants it, and as the machine says that it plays. */
const atMachine = z.object({
  code: z.string(),
  name: z.string(),
  pointName: z.string(),
  wanted: z.int(),
  reported: z.int().nullable(),
  /** Null: it plays it, or is about to take it. */
  problem: z.enum(['school', 'full', 'notTaken', 'failed']).nullable(),
  /** What the machine said of a file that it could not fetch. */
  detail: z.string().nullable(),
  provenPlays: z.int(),
})

const named = z.object({ id: z.int(), name: z.string() })
export const getBooking = endpoint({
  name: 'advert.getBooking',
  method: 'GET',
  path: '/api/advert-bookings/{id}',
  access: 'advert.read',
  input: z.strictObject({ id: zId }),
  output: booking.extend({
    creatives: z.array(
      named.extend({
        state: z.enum(creativeState.states),
        advertised: z.enum(advertised),
        preview: z.string().nullable(),
        seconds: z.int(),
      }),
    ),
    targets: z.object({
      machines: z.array(named),
      groups: z.array(named),
      points: z.array(named),
      merchants: z.array(named),
    }),
    /** In sight, at most 200: those with a problem first. */
    atMachines: z.array(atMachine),
    /** The last 31 days, at machines in sight. */
    days: z.array(z.object({ day: zDay, booked: z.int(), proven: z.int() })),
    /** So far, by its price; null for who doesn't see all of its machines. */
    dueFen: zFenPositive.nullable(),
  }),
  refusals: ['request.notFound'],
  summary: 'One booking: its machines with the lists they want and have, and what they played by day',
})
export type BookingDetail = z.output<typeof getBooking.output>

export const previewBooking = endpoint({
  name: 'advert.previewBooking',
  method: 'POST',
  path: '/api/advert-bookings/preview',
  access: 'advert.write',
  input: z.strictObject({ ...targets, creativeIds: z.array(zId).max(10).default([]) }),
  output: z.object({
    /** Where it would play. */
    machines: z.int(),
    /** Left out by law, with some of their names. */
    atSchools: z.int(),
    schools: z.array(z.string()),
    /** Named one by one: the booking is refused with them. */
    namedSchools: z.array(z.string()),
    unreviewed: z.array(z.string()),
  }),
  summary: 'Where a booking would play, and what the law keeps out of it, before it is made',
})
export type BookingPreview = z.output<typeof previewBooking.output>

const written = { method: 'POST' as const, access: 'advert.write' as const, writes: true }
const changed = z.object({ id: z.int(), state: z.enum(bookingState.states) })

export const addBooking = endpoint({
  ...written,
  name: 'advert.addBooking',
  path: '/api/advert-bookings',
  input: whole(z.strictObject(said)),
  output: changed,
  refusals: [
    'booking.nameTaken',
    'booking.machines',
    'booking.creatives',
    'booking.school',
    'booking.nowhere',
    'creative.rx',
    'creative.tobacco',
    'creative.approvalMissing',
  ],
  summary: 'Book time on screens; the machines are told at once',
})

const verb = <const N extends string>(name: N, at: string, summary: string) =>
  endpoint({
    ...written,
    name: `advert.${name}`,
    path: `/api/advert-bookings/{id}/${at}`,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', 'booking.state'],
    summary,
  })

export const pauseBooking = verb('pauseBooking', 'pause', 'Machines play it no more until it goes on')
export const resumeBooking = verb('resumeBooking', 'resume', 'Machines play it again')
export const endBooking = verb('endBooking', 'end', 'Over for good; what was played stays due')
