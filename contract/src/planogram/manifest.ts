import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as applyCalls from './apply'
import * as priceChangeCalls from './priceChange'
import * as slotCalls from './slot'
import * as templateCalls from './template'

export const planogram: Manifest = {
  endpoints: endpointsIn([applyCalls, priceChangeCalls, slotCalls, templateCalls]),
  exports: [
    exportable(templateCalls.listTemplates, templateCalls.templateFields, 'planogram', 'shj/mbgl'),
    exportable(priceChangeCalls.listPriceChanges, priceChangeCalls.priceChangeFields, 'planogram', 'shj/hdgl'),
  ],
}
