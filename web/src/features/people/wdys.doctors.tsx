import { doctorFields, getDoctor, listDoctors } from '@aisle/contract/people/doctor'
import { listPage } from '../../admin/listPage'
import { DoctorDrawer } from './doctorDrawer'
import { AddDoctor } from './doctorVerbs'

/**
 * For whoever answers for medicines, weekly: who may practise, whose licence ends,
 * and which machines they stand for.
 */
export default listPage({
  screen: 'shgl/wdys',
  list: listDoctors,
  fields: doctorFields,
  words: 'people',
  columns: [
    'name',
    'profession',
    'practice',
    'licenceValidTo',
    'licenceDaysLeft',
    'licenceNumber',
    'hospitalName',
    'department',
    'machineCount',
    'state',
    'account',
    'phone',
    'merchantName',
  ],
  hidden: ['licenceDaysLeft', 'account', 'phone', 'merchantName'],
  sortable: { licenceValidTo: 'licence', name: 'name' },
  filters: ['doctor', 'profession', 'practice'],
  moreFilters: ['state', 'merchantId'],
  presets: [
    { name: 'expiring', query: () => ({ practice: 'expiring' }) },
    { name: 'expired', query: () => ({ practice: 'expired' }) },
    { name: 'missing', query: () => ({ practice: 'missing' }) },
  ],
  actions: AddDoctor,
  drawer: DoctorDrawer,
  live: { kinds: ['user', 'licence'], also: [getDoctor] },
})
