export { countOpenLines } from './bankLine.reads'
export { countWaiting as countWaitingWithdrawals } from './withdrawal.store'
