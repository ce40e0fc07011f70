import { z } from 'zod'
import { endpoint, listEndpoint, zId, zSearch } from '../kernel/endpoint'
import type { Fields } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'

export const areaRefusals = defineRefusals('fleet', { 'area.nameTaken': 409, 'district.nameTaken': 409 })

const name = z.string().trim().min(1).max(60)
const changed = z.object({ id: z.int() })

export const listAreas = endpoint({
  name: 'fleet.listAreas',
  method: 'GET',
  path: '/api/areas',
  access: 'point.read',
  input: z.strictObject({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        merchantId: z.int(),
        merchantName: z.string(),
        name: z.string(),
        version: z.int(),
        districts: z.array(
          z.object({
            id: z.int(),
            name: z.string(),
            version: z.int(),
            pointCount: z.int(),
            machineCount: z.int(),
          }),
        ),
      }),
    ),
  }),
  summary: 'Areas of the merchants in sight with their districts, and what stands in each',
})

/** What a picker of districts asks. */
export const listDistricts = listEndpoint({
  name: 'fleet.listDistricts',
  path: '/api/districts',
  access: 'point.read',
  summary: 'Districts in sight, each with its area',
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['name'],
  item: z.object({
    id: z.int(),
    merchantId: z.int(),
    merchantName: z.string(),
    areaId: z.int(),
    areaName: z.string(),
    name: z.string(),
  }),
})

export const areaFields = { name: { kind: 'text' } } satisfies Fields

export const addArea = endpoint({
  name: 'fleet.addArea',
  method: 'POST',
  path: '/api/areas',
  access: 'point.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, name }),
  output: changed,
  refusals: ['request.notFound', 'area.nameTaken'],
  summary: 'Draw an area on a merchant’s own map',
})

export const addDistrict = endpoint({
  name: 'fleet.addDistrict',
  method: 'POST',
  path: '/api/areas/{id}/districts',
  access: 'point.write',
  writes: true,
  input: z.strictObject({ id: zId, name }),
  output: changed,
  refusals: ['request.notFound', 'district.nameTaken'],
  summary: 'Add a district to an area',
})

const renamed = <N extends 'area' | 'district'>(noun: N, plural: string) =>
  endpoint({
    name: `fleet.rename${noun === 'area' ? 'Area' : 'District'}`,
    method: 'POST',
    path: `/api/${plural}/{id}/rename`,
    access: 'point.write',
    writes: true,
    input: z.strictObject({ id: zId, version: z.int(), name }),
    output: changed,
    refusals: ['request.notFound', 'edit.stale', `${noun}.nameTaken`],
    summary: `Call the ${noun} otherwise`,
  })
const removed = (noun: 'area' | 'district', plural: string) =>
  endpoint({
    name: `fleet.remove${noun === 'area' ? 'Area' : 'District'}`,
    method: 'POST',
    path: `/api/${plural}/{id}/remove`,
    access: 'point.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', 'request.inUse'],
    summary: `Delete the ${noun} when nothing is in it any more`,
  })

export const renameArea = renamed('area', 'areas')
export const renameDistrict = renamed('district', 'districts')
export const removeArea = removed('area', 'areas')
export const removeDistrict = removed('district', 'districts')
