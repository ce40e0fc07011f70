import { z } from 'zod'
import { endpoint, zId, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'

export const areaRefusals = defineRefusals('fleet', { 'area.nameTaken': 409, 'district.nameTaken': 409 })

const name = zNeeded(60)

export const area = entity({
  domain: 'fleet',
  kind: 'area',
  path: '/api/areas',
  right: 'point',
  owner: 'merchant',
  editable: { name },
  facts: {},
  unique: { area_merchant_id_name_key: 'area.nameTaken' },
  filters: {},
  sorts: ['name'],
})

export const district = entity({
  domain: 'fleet',
  kind: 'district',
  path: '/api/districts',
  right: 'point',
  owner: 'merchant',
  editable: { name },
  facts: { areaId: z.int(), areaName: z.string() },
  unique: { district_area_id_name_key: 'district.nameTaken' },
  filters: { q: zSearch.optional(), merchantId: zId.optional() },
  sorts: ['name'],
})

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
export const listDistricts = district.list('Districts in sight, each with its area')

const renamed = { id: zId, version: z.int(), name }
const renaming = '/{id}/rename'

export const addArea = area.add('Draw an area on a merchant’s own map')
export const renameArea = area.verb('renameArea', renaming, renamed, 'Call the area otherwise', [
  'edit.stale',
  'area.nameTaken',
])
export const removeArea = area.remove('Delete the area when nothing is in it any more')
export const addDistrict = area.verb('addDistrict', '/{id}/districts', { id: zId, name }, 'Add a district to an area', [
  'district.nameTaken',
])
export const renameDistrict = district.verb('renameDistrict', renaming, renamed, 'Call the district otherwise', [
  'edit.stale',
  'district.nameTaken',
])
export const removeDistrict = district.remove('Delete the district when nothing is in it any more')
