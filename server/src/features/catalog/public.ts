export { countPendingAdditions } from './library/addition.reads'
export { setProductPrices } from './price.store'
export {
  addProduct,
  editProduct,
  loadProduct,
  moveProduct,
  foundAs,
  productShown,
  removeProduct,
  withBelow,
} from './product'
export { isOffline, PUSH_LISTING } from './listing'
export { soundOf } from './product.sound'
export { addUnknown } from './unknown.store'
