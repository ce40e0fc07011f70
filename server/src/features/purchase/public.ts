export { countWaitingReturns } from './supplierReturn/supplierReturn.reads'
