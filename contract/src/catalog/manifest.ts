import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as categoryCalls from './category'
import * as productCalls from './product'

export const catalog: Manifest = {
  endpoints: endpointsIn([categoryCalls, productCalls]),
  exports: [exportable(productCalls.listProducts, productCalls.product.fields, 'catalog', 'spgl/wdsp')],
}
