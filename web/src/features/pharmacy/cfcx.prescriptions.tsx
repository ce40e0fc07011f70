import {
  getPrescription,
  listPrescriptions,
  prescriptionFields,
  summarisePrescriptions,
} from '@aisle/contract/pharmacy/prescription'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { PrescriptionDrawer } from './prescriptionDrawer'
import { PrescriptionSummary } from './prescriptionSummary'
import { WriteLink } from './prescriptionVerbs'
import { ReviewQueue } from './reviewQueue'

/** For doctors, what became of what they wrote; for pharmacists and auditors, whatever somebody asks about. */
const list = listPage({
  screen: 'jygl/cfcx',
  part: 'list',
  list: listPrescriptions,
  fields: prescriptionFields,
  words: 'pharmacy',
  columns: [
    'code',
    'state',
    'patient',
    'medicines',
    'condition',
    'doctorName',
    'hospitalName',
    'submittedAt',
    'expiresAt',
    'usesLeft',
    'warningCount',
    'reviewerName',
    'department',
    'sex',
    'age',
    'uses',
    'fillCount',
    'createdAt',
    'reviewedAt',
    'merchantName',
  ],
  hidden: ['department', 'sex', 'age', 'uses', 'fillCount', 'createdAt', 'reviewedAt', 'merchantName'],
  sortable: { createdAt: 'newest', submittedAt: 'waiting', expiresAt: 'expiry' },
  filters: ['code', 'patient', 'state'],
  moreFilters: ['doctor', 'hospital', 'medicine', 'repeat', 'fill', 'period', 'merchantId'],
  presets: [
    { name: 'waiting', query: () => ({ state: 'submitted', sort: 'waiting' }) },
    { name: 'valid', query: () => ({ state: 'approved', sort: 'expiry' }) },
    { name: 'doubt', query: () => ({ fill: 'doubt' }) },
  ],
  summary: PrescriptionSummary,
  actions: WriteLink,
  drawer: PrescriptionDrawer,
  live: { kinds: ['prescription'], also: [getPrescription, summarisePrescriptions] as const },
})

export default partsPage({
  screen: 'jygl/cfcx',
  words: 'pharmacy',
  parts: [
    { key: 'list', access: 'prescription.read', page: list },
    { key: 'review', access: 'prescription.review', page: ReviewQueue },
  ],
})
