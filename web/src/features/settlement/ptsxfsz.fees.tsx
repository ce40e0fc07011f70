import {
  feeRuleFields,
  getFeeRule,
  getMerchantFees,
  listFeeRules,
  listMerchantFees,
  merchantFeeFields,
} from '@aisle/contract/settlement/fee'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { FeeDrawer } from './feeDrawer'
import { AddFeeRule } from './feeVerbs'
import { MerchantFeesDrawer } from './merchantFeesDrawer'

const screen = 'cfgl/ptsxfsz'
const words = 'settlement'
const live = { kinds: ['feeRule'], also: [getFeeRule, getMerchantFees] as const }

/** What is taken of each sale, by whom it was agreed and since when; old terms stay readable. */
const Fees = listPage({
  screen,
  part: 'fees',
  list: listFeeRules,
  fields: feeRuleFields,
  words,
  columns: [
    'subject',
    'merchantName',
    'state',
    'ratePercent',
    'minFen',
    'belowMin',
    'basis',
    'validFrom',
    'validTo',
    'agreedBy',
    'agreedAt',
    'reason',
  ],
  hidden: ['minFen', 'belowMin', 'agreedAt', 'reason'],
  filters: ['subject', 'state'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'inForce', query: () => ({ state: 'in_force' }) },
    { name: 'coming', query: () => ({ state: 'coming' }) },
  ],
  actions: AddFeeRule,
  drawer: FeeDrawer,
  live,
})

const Merchants = listPage({
  screen,
  part: 'merchants',
  list: listMerchantFees,
  fields: merchantFeeFields,
  words,
  columns: [
    'merchantName',
    'parentName',
    'wechat',
    'alipay',
    'unionpay',
    'memberCard',
    'functionSale',
    'withdrawal',
    'tax',
    'ownTerms',
  ],
  filters: ['q', 'own'],
  moreFilters: ['merchantId'],
  drawer: MerchantFeesDrawer,
  live,
})

/** For platform finance, at each contract: what is taken of sales; for a merchant, what it pays and by whose terms. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'fees', access: listFeeRules.access, page: Fees },
    { key: 'merchants', access: listMerchantFees.access, page: Merchants },
  ],
})
