import { hospitalTradeFields, hospitalTradeGroups, listHospitalTrade } from '@aisle/contract/report/statistics/trade'
import { placeTrade } from './placeTrade'
import { statisticsPage } from './statistics'

/** For a hospital and whoever serves it, monthly: what was sold in each house and building, and by which machines. */
export default statisticsPage({
  ...placeTrade,
  screen: 'tjfx/yyjytj',
  list: listHospitalTrade,
  fields: hospitalTradeFields,
  groups: hospitalTradeGroups,
  opens: false,
  note: 'hospital.help',
})
