export { accountInForce, countPendingReviews } from './bankAccount.store'
export { countUse } from './integration.store'
