import { claimFields, getClaim, listClaims, summariseClaims } from '@aisle/contract/lottery/claim'
import { listPage } from '../../admin/listPage'
import { ClaimDrawer } from './claimDrawer'
import { ClaimSummary } from './claimSummary'
import { AddClaim } from './claimVerbs'

/** For whoever hands out prizes at the counter and who decides about it: what waits longest stands first. */
export default listPage({
  screen: 'jygl/hgsh',
  list: listClaims,
  fields: claimFields,
  words: 'lottery',
  columns: [
    'productName',
    'state',
    'claimant',
    'prizeFen',
    'orderNo',
    'machineCode',
    'createdAt',
    'createdByName',
    'reviewedAt',
    'reviewedByName',
    'machineName',
    'merchantName',
    'id',
  ],
  hidden: ['reviewedAt', 'machineName', 'merchantName', 'id'],
  sortable: { state: 'waiting', createdAt: 'newest' },
  filters: ['q', 'state', 'machineCode'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'pending', query: () => ({ state: 'pending' }) }],
  summary: ClaimSummary,
  actions: () => <AddClaim />,
  drawer: ClaimDrawer,
  live: { kinds: ['prizeClaim'], also: [getClaim, summariseClaims] },
})
