export { blockedUntil, endAllBegun, unblock } from './account/account.commands'
export { saltFor } from './password/credential'
export { put as putCredential } from './password/credential.store'
export { isGreater, refuseGreater, refuseMadeGreater } from './ticket/greater'
export { accountsWithShipped, enforceDemoPassword } from './password/shipped.commands'
export { givePassword } from './password/firstPassword'
export { makeAccount } from './account/newAccount.commands'
export { menuTree, placedItems, SHIPPED_STEP, type Titles } from './menu/menu.rules'
export { subnetOf } from './signIn/subnet.rules'
export { menuPlanOf, shownPlanOf } from './menu/menu.store'
export { setSessionRole, touchSession } from './session/session.store'
export {
  addProgram,
  addUser,
  type EditableUser,
  editUser,
  isUnusedAdmin,
  type NewUser,
  removeUnusedAdmins,
  setUserRoles,
  setUserState,
} from './account/user.writes'
