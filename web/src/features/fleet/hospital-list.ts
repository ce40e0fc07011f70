import { getHospital, hospitalFields, listHospitals } from '@aisle/contract/fleet/hospital'
import { HospitalDrawer } from './hospital-drawer'
import { AddHospital } from './hospital-verbs'

/** For who opens and serves hospital sites, weekly: which hospitals there are, and what stands in each. */
export const hospitalList = {
  list: listHospitals,
  fields: hospitalFields,
  words: 'fleet',
  columns: [
    'name',
    'level',
    'city',
    'district',
    'machineCount',
    'pointCount',
    'doctorCount',
    'state',
    'contact',
    'phone',
    'merchantName',
    'departmentCount',
    'province',
    'address',
  ],
  hidden: ['departmentCount', 'province', 'address'],
  sortable: { name: 'name', level: 'level', machineCount: 'machines' },
  filters: ['hospital', 'level', 'state'],
  moreFilters: ['province', 'merchantId'],
  actions: AddHospital,
  drawer: HospitalDrawer,
  live: { kinds: ['hospital'], also: [getHospital] },
} as const
