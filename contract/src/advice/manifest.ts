import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as priceCalls from './price'
import * as recommendationCalls from './recommendation'

export const advice: Manifest = {
  endpoints: endpointsIn([recommendationCalls, priceCalls]),
  exports: [
    exportable(priceCalls.listPriceAdvice, priceCalls.priceAdviceFields, 'advice', 'yxch/jgtj'),
    exportable(
      recommendationCalls.listRecommendations,
      recommendationCalls.recommendationFields,
      'advice',
      'yxch/sptj',
    ),
  ],
}
