export { soundOf } from './product'
export { addUnknown } from './unknown.store'
