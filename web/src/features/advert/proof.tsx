import { proofFields, listProof } from '@aisle/contract/advert/proof'
import { listPage } from '../../admin/listPage'

/** The report for the advertiser: chosen by booking and days, and taken along as a file. */
export const ProofOfPlay = listPage({
  screen: 'gggl/cgggl',
  part: 'proof',
  list: listProof,
  fields: proofFields,
  words: 'advert',
  columns: [
    'bookingName',
    'advertiser',
    'machineCode',
    'machineName',
    'pointName',
    'firstDay',
    'lastDay',
    'bookedPlays',
    'provenPlays',
    'offlineHours',
    'dueFen',
    'days',
    'priceKind',
    'contractNo',
  ],
  hidden: ['days', 'priceKind', 'contractNo', 'machineName'],
  sortable: { bookingName: 'booking', provenPlays: 'proven' },
  filters: ['q', 'period'],
  moreFilters: ['machineCode', 'merchantId'],
  sums: ({ bookedPlays, provenPlays, offlineHours, dueFen }) => ({ bookedPlays, provenPlays, offlineHours, dueFen }),
  live: { kinds: ['advertBooking'], also: [] },
})
