import { listMachineTrade, machineTradeFields, machineTradeGroups } from '@aisle/contract/report/statistics/trade'
import { placeTrade } from './placeTrade'
import { statisticsPage } from './statistics'

/** For whoever answers for machines, weekly: what each sold, gave back and missed; a machine opens its days. */
export default statisticsPage({
  ...placeTrade,
  screen: 'tjfx/jqjytj',
  list: listMachineTrade,
  fields: machineTradeFields,
  groups: machineTradeGroups,
})
