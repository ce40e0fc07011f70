import { getRecommendation } from '@aisle/contract/advice/recommendation'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { detailPage } from '../../shelf/detailPage'
import { RecommendationBody } from './recommendationBody'
import { RecommendationTags, RecommendationVerbs, titleOf } from './recommendationDrawer'

/** Why this product: the numbers compared, the gain expected, and what became of it. */
export default detailPage({
  screen: 'yxch/sptjxq',
  from: 'yxch/sptj',
  useOne: (id) => {
    useLive({ kinds: ['recommendation'], also: [] }, [getRecommendation])
    return useEndpoint(getRecommendation, { id }, { errors: 'throw' })
  },
  title: titleOf,
  head: (one) => <RecommendationTags one={one} />,
  actions: (one) => <RecommendationVerbs one={one} />,
  children: (one) => <RecommendationBody one={one} />,
})
