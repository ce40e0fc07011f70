import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
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

const editable = {
  name: z.string().trim().min(1).max(60),
  userId: zId.nullable().default(null),
  weekdays: z.array(z.enum(weekdays)).min(1).max(7).default(['mon', 'tue', 'wed', 'thu', 'fri']),
  remark: z.string().trim().max(200).default(''),
}

const route = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  /** Who fills its machines. */
  userName: z.string().nullable(),
  weekdays: z.array(z.enum(weekdays)),
  /** Whether it is driven today. */
  isToday: z.boolean(),
  /** In sight. */
  machineCount: z.int(),
  emptySlots: z.int(),
  lowSlots: z.int(),
})
export type Route = z.output<typeof route>

/** Also what a picker of routes asks. */
export const listRoutes = listEndpoint({
  name: 'fleet.listRoutes',
  path: '/api/routes',
  access: 'route.read',
  summary: 'Routes in sight, what is driven today and needs goods first',
  filters: {
    route: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    weekday: z.enum(weekdays).optional(),
    userId: zId.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['need', 'name', 'machines'],
  item: route,
})

const everyDay = { mon: 'idle', tue: 'idle', wed: 'idle', thu: 'idle', fri: 'idle', sat: 'idle', sun: 'idle' } as const

export const routeFields = {
  name: { kind: 'text' },
  userName: { kind: 'text' },
  weekdays: { kind: 'states', words: 'weekday', tones: everyDay },
  weekday: { kind: 'state', words: 'weekday', tones: everyDay },
  isToday: { kind: 'boolean' },
  machineCount: { kind: 'count' },
  emptySlots: { kind: 'count' },
  lowSlots: { kind: 'count' },
  merchantName: { kind: 'text' },
  remark: { kind: 'longText' },
} satisfies Fields

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
})
export type Stop = z.output<typeof stop>

export const getRoute = endpoint({
  name: 'fleet.getRoute',
  method: 'GET',
  path: '/api/routes/{id}',
  access: 'route.read',
  input: z.strictObject({ id: zId }),
  output: route.extend({
    version: z.int(),
    userId: z.int().nullable(),
    remark: z.string(),
    /** In the order in which they are visited. */
    stops: z.array(stop),
    /** Machines of the route that the caller does not see: they keep their place at its end. */
    hiddenCount: z.int(),
  }),
  refusals: ['request.notFound'],
  summary: 'One route with its machines in visiting order, and what each needs today',
})
export type RouteDetail = z.output<typeof getRoute.output>

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

const changed = z.object({ id: z.int() })

export const addRoute = endpoint({
  name: 'fleet.addRoute',
  method: 'POST',
  path: '/api/routes',
  access: 'route.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, ...editable }),
  output: changed,
  refusals: ['request.notFound', 'route.nameTaken'],
  summary: 'Add a route to a merchant',
})

export const editRoute = endpoint({
  name: 'fleet.editRoute',
  method: 'POST',
  path: '/api/routes/{id}/edit',
  access: 'route.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'route.nameTaken'],
  summary: 'Change who drives a route, and when',
})

export const setStops = endpoint({
  name: 'fleet.setStops',
  method: 'POST',
  path: '/api/routes/{id}/stops',
  access: 'route.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ids: z.array(zId).max(MOST_STOPS) }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'route.otherMerchant', 'route.retired'],
  summary: 'Say which machines a route visits, in this order; a machine leaves the route that it was on',
})

export const removeRoute = endpoint({
  name: 'fleet.removeRoute',
  method: 'POST',
  path: '/api/routes/{id}/remove',
  access: 'route.write',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: ['request.notFound', 'request.inUse'],
  summary: 'Delete a route that visits no machine',
})
