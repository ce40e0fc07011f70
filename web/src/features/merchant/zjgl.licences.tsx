import { getLicence, licence, listLicences, summariseLicences } from '@aisle/contract/merchant/licence'
import { listPage } from '../../admin/listPage'
import { LicenceDrawer } from './licenceDrawer'
import { LicenceSummary } from './licenceSummary'
import { AddLicence } from './licenceVerbs'

/** For whoever answers to the authorities, once a day: what has ended, what ends next. */
export default listPage({
  screen: 'shgl/zjgl',
  list: listLicences,
  fields: licence.fields,
  words: 'merchant',
  columns: [
    'number',
    'kind',
    'holder',
    'state',
    'validTo',
    'daysLeft',
    'marks',
    'merchantName',
    'holderKind',
    'issuedBy',
    'validFrom',
    'renewals',
  ],
  hidden: ['issuedBy', 'validFrom', 'renewals'],
  sortable: { holder: 'holder', daysLeft: 'worst' },
  filters: ['licence', 'state', 'kind'],
  moreFilters: ['holderKind', 'merchantId'],
  summary: LicenceSummary,
  actions: AddLicence,
  drawer: LicenceDrawer,
  live: { kinds: ['licence'], also: [getLicence, summariseLicences] as const },
})
