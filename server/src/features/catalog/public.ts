export { noteUnlessTaken } from './barcode.store'
export { recordPrices } from './price.store'
export { addProduct, products, soundOf } from './product'
export { addUnknown } from './unknown.store'
