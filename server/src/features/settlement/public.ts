export { countWaitingDisputes } from './batch/batch.store'
export { countOpen as countOpenDifferences } from './difference.reads'
export { feeOn } from './fee/fee.rules'
export { findRule as findFeeRule } from './fee/feeRule.store'
