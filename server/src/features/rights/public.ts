export { refuseUncovered } from './role.commands'
export { rolesFor } from './role.reads'
