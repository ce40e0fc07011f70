import { z } from 'zod'
import { listEndpoint, zAnyOf, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { connections } from './states'

export const routeRefusals = defineRefusals('fleet', {
  'route.nameTaken': 409,
  'route.otherMerchant': 409,
  'route.retired': 409,
})

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]
export const MOST_STOPS = 500

const everyDay = { mon: 'idle', tue: 'idle', wed: 'idle', thu: 'idle', fri: 'idle', sat: 'idle', sun: 'idle' } as const

export const route = entity({
  domain: 'fleet',
  kind: 'route',
  path: '/api/routes',
  right: 'route',
  owner: 'merchant',
  editable: {
    name: zNeeded(60),
    userId: zId.nullable().default(null),
    weekdays: z.array(z.enum(weekdays)).min(1).max(7).default(['mon', 'tue', 'wed', 'thu', 'fri']),
    remark: zLine(200).default(''),
  },
  details: ['userId', 'remark'],
  facts: {
    /** Who fills its machines. */
    userName: z.string().nullable(),
    /** Whether it is driven today. */
    isToday: z.boolean(),
    /** In sight. */
    machineCount: z.int(),
    emptySlots: z.int(),
    lowSlots: z.int(),
  },
  show: {
    weekdays: { kind: 'states', words: 'weekday', tones: everyDay },
    weekday: { kind: 'state', words: 'weekday', tones: everyDay },
    remark: { kind: 'longText' },
  },
  unique: { route_merchant_id_name_key: 'route.nameTaken' },
  filters: {
    route: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    weekday: zAnyOf(weekdays).optional(),
    userId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['need', 'name', 'machines'],
})

const stop = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  pointName: z.string(),
  city: z.string(),
  connection: z.enum(connections),
  slotCount: z.int(),
  emptySlots: z.int(),
  lowSlots: z.int(),
  /** Pieces that fill its slots, by the books. */
  missing: z.int(),
})
export type Stop = z.output<typeof stop>

/** Also what a picker of routes asks. */
export const listRoutes = route.list('Routes in sight, what is driven today and needs goods first')
export const getRoute = route.get('One route with its machines in visiting order, and what each needs today', {
  /** In the order in which they are visited. */
  stops: z.array(stop),
  /** Machines of the route that the caller does not see: they keep their place at its end. */
  hiddenCount: z.int(),
})
export type RouteDetail = z.output<typeof getRoute.output>
export const addRoute = route.add('Add a route to a merchant')
export const editRoute = route.edit('Change who drives a route, and when')
export const removeRoute = route.remove('Delete a route that visits no machine')
export const setStops = route.verb(
  'setStops',
  '/{id}/stops',
  { id: zId, version: z.int(), ids: z.array(zId).max(MOST_STOPS) },
  'Say which machines a route visits, in this order; a machine leaves the route that it was on',
  ['edit.stale', 'route.otherMerchant', 'route.retired'],
)

/** What a picker of those who fill asks: people of a merchant in sight, whoever may manage them. */
export const listFillers = listEndpoint({
  name: 'fleet.listFillers',
  path: '/api/route-people',
  access: 'route.write',
  summary: 'People of the merchants in sight who may be given a route',
  filters: { q: zSearch.optional() },
  sorts: ['name'],
  item: z.object({ id: z.int(), name: z.string(), account: z.string(), merchantName: z.string() }),
})
