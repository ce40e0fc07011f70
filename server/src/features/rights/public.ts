export { refuseUncovered } from './role.commands'
export { rolesFor } from './role.reads'
export { addFirstRole, removeRights } from './role.store'
