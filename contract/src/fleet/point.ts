import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { weekdays } from './route'

export const pointKinds = ['hospital', 'store', 'campus', 'station', 'office'] as const

/** A stopped point takes no more machines; those that stand there go on. */
export const pointState = stateTable({
  initial: 'active',
  states: ['active', 'stopped'],
  moves: { stop: { from: ['active'], to: 'stopped' }, resume: { from: ['stopped'], to: 'active' } },
})

export const pointRefusals = defineRefusals('fleet', {
  'point.state': 409,
  'point.otherMerchant': 409,
  'point.hospital': 409,
})

const line = (most: number) => z.string().trim().max(most)
const needed = (most: number) => z.string().trim().min(1).max(most)
export const zContactPhone = z
  .string()
  .trim()
  .max(20)
  .regex(/^(\+?[0-9][0-9 -]{4,18})?$/)

/** Where it stands, marked by a person; any place on Earth (spec §8: marked before it is saved). */
export const zPosition = z.strictObject({
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
})
export type Position = z.output<typeof zPosition>

const editable = {
  name: needed(60),
  kind: z.enum(pointKinds),
  province: needed(40),
  city: needed(40),
  districtId: zId.nullable().default(null),
  address: line(120).default(''),
  position: zPosition,
  hospitalId: zId.nullable().default(null),
  building: line(40).default(''),
  floor: line(20).default(''),
  contact: line(40).default(''),
  phone: zContactPhone.default(''),
  rentFen: z.coerce.number().int().min(0).max(100_000_000_00).default(0),
  remark: line(200).default(''),
}

const point = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  name: z.string(),
  kind: z.enum(pointKinds),
  province: z.string(),
  city: z.string(),
  /** Of a merchant's own map. */
  areaName: z.string().nullable(),
  districtName: z.string().nullable(),
  address: z.string(),
  hospitalName: z.string().nullable(),
  building: z.string(),
  floor: z.string(),
  contact: z.string(),
  phone: z.string(),
  rentFen: z.int(),
  machineCount: z.int(),
  state: z.enum(pointState.states),
})
export type Point = z.output<typeof point>

/** Also what a picker of points asks. */
export const listPoints = listEndpoint({
  name: 'fleet.listPoints',
  path: '/api/points',
  access: 'point.read',
  summary: 'Points in sight with the machines in sight that stand there',
  filters: {
    point: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    kind: z.enum(pointKinds).optional(),
    city: zSearch.optional(),
    areaId: zId.optional(),
    districtId: zId.optional(),
    hospitalId: zId.optional(),
    merchantId: zId.optional(),
    state: z.enum(pointState.states).optional(),
  },
  sorts: ['name', 'machines', 'rent', 'newest'],
  item: point,
})

export const pointFields = {
  name: { kind: 'text' },
  kind: { kind: 'state', words: 'pointKind', tones: {} },
  province: { kind: 'region' },
  city: { kind: 'region' },
  areaName: { kind: 'text' },
  districtName: { kind: 'text' },
  address: { kind: 'text' },
  hospitalName: { kind: 'text' },
  building: { kind: 'text' },
  floor: { kind: 'text' },
  contact: { kind: 'text' },
  phone: { kind: 'phone' },
  rentFen: { kind: 'money' },
  machineCount: { kind: 'count' },
  remark: { kind: 'longText' },
  merchantName: { kind: 'text' },
  state: stateField('pointState', pointState, { active: 'good', stopped: 'idle' }),
} satisfies Fields

export const getPoint = endpoint({
  name: 'fleet.getPoint',
  method: 'GET',
  path: '/api/points/{id}',
  access: 'point.read',
  input: z.strictObject({ id: zId }),
  output: point.extend({
    version: z.int(),
    districtId: z.int().nullable(),
    hospitalId: z.int().nullable(),
    position: zPosition,
    remark: z.string(),
    /** Of its machines in sight. */
    today: z.object({ count: z.int(), paidFen: z.int() }),
    routes: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        userName: z.string().nullable(),
        weekdays: z.array(z.enum(weekdays)),
        machineCount: z.int(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One point with its place, what it costs, what it sold today and which routes come by',
})
export type PointDetail = z.output<typeof getPoint.output>

const changed = z.object({ id: z.int() })

export const addPoint = endpoint({
  name: 'fleet.addPoint',
  method: 'POST',
  path: '/api/points',
  access: 'point.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, ...editable }),
  output: changed,
  refusals: ['request.notFound', 'point.otherMerchant', 'point.hospital'],
  summary: 'Add a point to a merchant, with its position marked',
})

export const editPoint = endpoint({
  name: 'fleet.editPoint',
  method: 'POST',
  path: '/api/points/{id}/edit',
  access: 'point.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'point.otherMerchant', 'point.hospital'],
  summary: 'Change what is known of a point',
})

const verb = (name: string, path: string, summary: string, more: readonly string[]) =>
  endpoint({
    name: `fleet.${name}`,
    method: 'POST',
    path: `/api/points/{id}/${path}`,
    access: 'point.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', ...more],
    summary,
  })

export const stopPoint = verb('stopPoint', 'stop', 'Let a point take no more machines', ['point.state'])
export const resumePoint = verb('resumePoint', 'resume', 'Let a stopped point take machines again', ['point.state'])
export const removePoint = verb('removePoint', 'remove', 'Delete a point that nothing uses', ['request.inUse'])
