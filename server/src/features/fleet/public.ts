export { moveOperation } from './machine.commands'
export { findInSight } from './machine.reads'
