import {
  cashCollectionFields,
  getCashCollection,
  listCashCollections,
  summariseCash,
} from '@aisle/contract/field/cashCollection'
import { cashDepositFields, getCashDeposit, listCashDeposits } from '@aisle/contract/field/cashDeposit'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { CashActions } from './cashVerbs'
import { CashDrawer } from './cashDrawer'
import { CashSummary } from './cashSummary'
import { DepositActions, DepositDrawer } from './depositDrawer'

const screen = 'cfgl/xjqd'
const words = 'field'

const Boxes = listPage({
  screen,
  part: 'boxes',
  list: listCashCollections,
  fields: cashCollectionFields,
  words,
  columns: [
    'boxNo',
    'state',
    'machineCode',
    'machineName',
    'takenAt',
    'taker',
    'expectedFen',
    'countedFen',
    'differenceFen',
    'counter',
    'slipNo',
    'merchantName',
    'countedAt',
    'decider',
    'settledAt',
    'note',
  ],
  hidden: ['slipNo', 'merchantName', 'countedAt', 'decider', 'settledAt', 'note'],
  filters: ['q', 'state', 'off'],
  moreFilters: ['banked', 'taken', 'merchantId'],
  presets: [
    { name: 'toCount', query: () => ({ state: 'taken' }) },
    { name: 'toDecide', query: () => ({ state: 'counted' }) },
    { name: 'short', query: () => ({ off: 'short' }) },
    { name: 'toBank', query: () => ({ banked: 'no' }) },
  ],
  sums: (sums) => sums,
  summary: CashSummary,
  actions: CashActions,
  drawer: CashDrawer,
  live: { kinds: ['cashCollection', 'cashDeposit', 'visit'], also: [getCashCollection, summariseCash] as const },
})

const Deposits = listPage({
  screen,
  part: 'deposits',
  list: listCashDeposits,
  fields: cashDepositFields,
  words,
  columns: [
    'slipNo',
    'state',
    'depositedOn',
    'amountFen',
    'countedFen',
    'differenceFen',
    'boxes',
    'merchantName',
    'depositor',
    'enteredAt',
    'note',
    'reverser',
    'reversedAt',
    'reason',
  ],
  hidden: ['note', 'reverser', 'reversedAt', 'reason'],
  filters: ['q', 'state', 'merchantId'],
  sums: (sums) => sums,
  actions: DepositActions,
  drawer: DepositDrawer,
  live: { kinds: ['cashDeposit'], also: [getCashDeposit] as const },
})

/** For the cash room, daily, and who answers for it: what is on its way, what is missing where, what is at the bank. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'boxes', access: listCashCollections.access, page: Boxes },
    { key: 'deposits', access: listCashDeposits.access, page: Deposits },
  ],
})
