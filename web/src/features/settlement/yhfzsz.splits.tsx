import { getSplitReceiver, listSplitReceivers, splitReceiverFields } from '@aisle/contract/settlement/splitReceiver'
import { getSplitRule, listSplitRules, splitRuleFields } from '@aisle/contract/settlement/splitRule'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { receiverFilter } from './receiverFilter'
import { AddSplitReceiver } from './splitReceiverVerbs'
import { SplitReceiverDrawer } from './splitReceiverDrawer'
import { SplitRuleDrawer } from './splitRuleDrawer'
import { AddSplitRule } from './splitRuleVerbs'

const screen = 'cfgl/yhfzsz'
const words = 'settlement'

const Rules = listPage({
  screen,
  part: 'rules',
  list: listSplitRules,
  fields: splitRuleFields,
  words,
  columns: [
    'merchantName',
    'scope',
    'scopeName',
    'state',
    'ratePercent',
    'receivers',
    'validFrom',
    'validTo',
    'agreedBy',
    'agreedAt',
    'reason',
  ],
  hidden: ['agreedAt', 'reason'],
  filters: ['state', 'scope'],
  moreFilters: ['merchantId', 'receiverId'],
  filterInputs: receiverFilter,
  presets: [
    { name: 'inForce', query: () => ({ state: 'in_force' }) },
    { name: 'coming', query: () => ({ state: 'coming' }) },
  ],
  actions: AddSplitRule,
  drawer: SplitRuleDrawer,
  live: { kinds: ['splitRule'], also: [getSplitRule] as const },
})

const Receivers = listPage({
  screen,
  part: 'receivers',
  list: listSplitReceivers,
  fields: splitReceiverFields,
  words,
  columns: [
    'receiverName',
    'state',
    'kind',
    'ofName',
    'provider',
    'accountType',
    'account',
    'consents',
    'rules',
    'unpaidFen',
    'claimFen',
    'merchantName',
    'boundAt',
    'detail',
  ],
  hidden: ['ofName', 'accountType', 'boundAt', 'detail'],
  sortable: { receiverName: 'name' },
  filters: ['q', 'state', 'provider'],
  moreFilters: ['kind'],
  presets: [{ name: 'failed', query: () => ({ state: 'failed' }) }],
  actions: AddSplitReceiver,
  drawer: SplitReceiverDrawer,
  live: { kinds: ['splitReceiver', 'split'], also: [getSplitReceiver] as const },
})

/** For a treasurer, at each contract and once a month: who shares in which orders, and whether channels know them. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'rules', access: listSplitRules.access, page: Rules },
    { key: 'receivers', access: listSplitReceivers.access, page: Receivers },
  ],
})
