import { feeRuleFields, getFeeRule, listFeeRules } from '@aisle/contract/settlement/fee'
import { FeeDrawer } from './feeDrawer'
import { AddFeeRule } from './feeVerbs'

/** What is taken of each sale, by whom it was agreed and since when; old terms stay readable. */
export const feeList = {
  list: listFeeRules,
  fields: feeRuleFields,
  words: 'settlement' as const,
  columns: [
    'subject',
    'merchantName',
    'state',
    'ratePercent',
    'minFen',
    'basis',
    'validFrom',
    'validTo',
    'agreedBy',
    'agreedAt',
    'reason',
  ] as const,
  hidden: ['minFen', 'agreedAt', 'reason'] as const,
  filters: ['subject', 'state'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'inForce', query: () => ({ state: 'in_force' }) },
    { name: 'coming', query: () => ({ state: 'coming' }) },
  ],
  actions: AddFeeRule,
  drawer: FeeDrawer,
  live: { kinds: ['feeRule'], also: [getFeeRule] },
}
