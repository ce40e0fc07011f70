import { z } from 'zod'
import { zAnyOf, zContactPhone, zId, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { onOff, onOffTones } from '../kernel/states'
import { weekdays } from './route'

export const pointKinds = ['hospital', 'store', 'campus', 'school', 'kindergarten', 'station', 'office'] as const
export type PointKind = (typeof pointKinds)[number]

/** Primary and secondary schools and kindergartens; a campus is a university's, where other law holds. */
export const kindsForMinors: readonly PointKind[] = ['school', 'kindergarten']

export const pointRefusals = defineRefusals('fleet', {
  'point.state': 409,
  'point.otherMerchant': 409,
  'point.hospital': 409,
})

/** Where it stands, marked by a person; any place on Earth (spec §8: marked before it is saved). */
export const zPosition = z.strictObject({
  longitude: z.number().min(-180).max(180),
  latitude: z.number().min(-90).max(90),
})
export type Position = z.output<typeof zPosition>

export const point = entity({
  domain: 'fleet',
  kind: 'point',
  path: '/api/points',
  right: 'point',
  owner: 'merchant',
  /** What is needed first: where it is. The contract and the rest may come later. */
  editable: {
    name: zNeeded(60),
    kind: z.enum(pointKinds),
    province: zNeeded(40),
    city: zNeeded(40),
    position: zPosition,
    address: zLine(120).default(''),
    districtId: zId.nullable().default(null),
    hospitalId: zId.nullable().default(null),
    building: zLine(40).default(''),
    floor: zLine(20).default(''),
    contact: zLine(40).default(''),
    phone: zContactPhone.default(''),
    rentFen: z.coerce.number().int().min(0).max(100_000_000_00).default(0),
    remark: zLine(200).default(''),
  },
  details: ['position', 'districtId', 'hospitalId', 'remark'],
  facts: {
    /** Of a merchant's own map. */
    areaName: z.string().nullable(),
    districtName: z.string().nullable(),
    hospitalName: z.string().nullable(),
    machineCount: z.int(),
  },
  show: {
    kind: { kind: 'state', words: 'pointKind', tones: {} },
    province: { kind: 'region' },
    city: { kind: 'region' },
    phone: { kind: 'phone' },
    rentFen: { kind: 'money' },
    remark: { kind: 'longText' },
  },
  /** A stopped point takes no more machines; those that stand there go on. */
  states: { table: onOff, tones: onOffTones, refusal: 'point.state' },
  filters: {
    point: zSearch.optional(),
    /** The same, as pickers ask. */
    q: zSearch.optional(),
    kind: zAnyOf(pointKinds).optional(),
    city: zSearch.optional(),
    areaId: zId.optional(),
    districtId: zId.optional(),
    hospitalId: zId.optional(),
    merchantId: zId.optional(),
    /** Where machines of this merchant may stand: points of its own and of those above it. */
    forMerchantId: zId.optional(),
    state: z.enum(onOff.states).optional(),
  },
  sorts: ['name', 'machines', 'rent', 'newest'],
})

/** Also what a picker of points asks. */
export const listPoints = point.list('Points in sight with the machines in sight that stand there')
export const getPoint = point.get(
  'One point with its place, what it costs, what it sold today and which routes come by',
  {
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
  },
)
export type PointDetail = z.output<typeof getPoint.output>

const foreign = ['point.otherMerchant', 'point.hospital']
export const addPoint = point.add('Add a point to a merchant, with its position marked', foreign)
export const editPoint = point.edit('Change what is known of a point', foreign)
export const stopPoint = point.move('stop', 'Let a point take no more machines')
export const resumePoint = point.move('resume', 'Let a stopped point take machines again')
export const removePoint = point.remove('Delete a point that nothing uses')
