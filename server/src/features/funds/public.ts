export { countWaiting as countWaitingWithdrawals } from './withdrawal.store'
