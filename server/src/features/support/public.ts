export { countWaitingCases } from './customer/customer.reads'
export { countWaitingFeedback } from './feedback.reads'
