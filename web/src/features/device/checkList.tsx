import { batchFields, sendToMachines } from '@aisle/contract/device/batch'
import { checkFields, getSelfChecks, listSelfChecks } from '@aisle/contract/device/selfCheck'
import { listPage } from '../../admin/listPage'
import { CheckDrawer } from './checkDrawer'
import { SendMany } from './sendMany'

/** Every machine with what it last said of itself, worst first. */
export const CheckList = listPage({
  screen: 'shj/jqzc',
  list: listSelfChecks,
  fields: checkFields,
  words: 'device',
  columns: [
    'code',
    'name',
    'outcome',
    'failingParts',
    'checkedAt',
    'isAsked',
    'connection',
    'appVersion',
    'pointName',
    'merchantName',
  ],
  hidden: ['appVersion', 'merchantName'],
  sortable: { code: 'code', outcome: 'worst', checkedAt: 'newest' },
  filters: ['q', 'outcome', 'part'],
  moreFilters: ['category', 'code', 'merchantId'],
  actions: SendMany,
  batch: [{ endpoint: sendToMachines, verb: 'sendToMachines', fields: { type: batchFields.type } }],
  drawer: CheckDrawer,
  live: { topic: 'commands', also: [getSelfChecks] as const },
})
