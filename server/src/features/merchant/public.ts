export { countPendingReviews, openAccount as openBankAccount } from './bankAccount.store'
export { countUse } from './integration.store'
export { addFirstLicence } from './firstLicence'
export { firstAdminToken } from './firstAdmin.commands'
