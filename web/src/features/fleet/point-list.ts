import { getPoint, listPoints, pointFields } from '@aisle/contract/fleet/point'
import { listPage } from '../../admin/listPage'
import { PointDrawer } from './point-drawer'
import { AddPoint } from './point-verbs'

/** For who opens and serves sites, daily: where machines stand, what is there, what it costs. */
export const PointList = listPage({
  screen: 'shj/dwgl',
  part: 'points',
  list: listPoints,
  fields: pointFields,
  words: 'fleet',
  columns: [
    'name',
    'kind',
    'city',
    'districtName',
    'hospitalName',
    'machineCount',
    'contact',
    'rentFen',
    'state',
    'building',
    'floor',
    'areaName',
    'phone',
    'address',
    'province',
    'merchantName',
  ],
  hidden: ['areaName', 'phone', 'address', 'province', 'merchantName', 'building', 'floor'],
  sortable: { name: 'name', machineCount: 'machines', rentFen: 'rent' },
  filters: ['point', 'kind', 'state'],
  moreFilters: ['city', 'merchantId'],
  actions: AddPoint,
  drawer: PointDrawer,
  live: { kinds: ['point', 'machine', 'district', 'hospital'], also: [getPoint] },
})
