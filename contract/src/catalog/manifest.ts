import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as categoryCalls from './category'
import * as libraryCalls from './library'
import * as productCalls from './product'
import * as importCalls from './productImport'

export const catalog: Manifest = {
  endpoints: endpointsIn([categoryCalls, libraryCalls, productCalls, importCalls]),
  exports: [
    exportable(productCalls.listProducts, productCalls.product.fields, 'catalog', 'spgl/wdsp'),
    exportable(libraryCalls.listLibraryItems, libraryCalls.libraryItem.fields, 'catalog', 'spgl/ptspk'),
    exportable(libraryCalls.listLibraryAdditions, libraryCalls.additionFields, 'catalog', 'spgl/ptspk'),
  ],
}
