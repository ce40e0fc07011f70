export { nameOfNoun, nameOfPermission } from './permission.words'
export { refuseUncovered } from './role.commands'
export { rolesFor } from './role.reads'
export { addFirstRole, removeRights } from './role.store'
