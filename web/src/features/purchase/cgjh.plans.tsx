import * as contract from '@aisle/contract/purchase/plan'
import { partsPage } from '../../shelf/partsPage'
import { PlanLineList, PlanList } from './planLists'

/** For buyers, daily, and managers, weekly: what runs out, what to order of whom and why, and how right it was. */
export default partsPage({
  screen: 'jxcgl/cgjh',
  words: 'purchase',
  parts: [
    { key: 'plans', access: contract.listPurchasePlans.access, page: PlanList },
    { key: 'lines', access: contract.listPurchasePlanLines.access, page: PlanLineList },
  ],
})
