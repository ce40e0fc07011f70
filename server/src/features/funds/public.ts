export { countOpenLines } from './bankLine.store'
export { countWaiting as countWaitingWithdrawals } from './withdrawal.store'
