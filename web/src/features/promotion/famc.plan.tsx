import { getPlan } from '@aisle/contract/promotion/plan'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { detailPage } from '../../shelf/detailPage'
import { PlanBody } from './planBody'
import { PlanTags } from './planDrawer'
import { PlanVerbs } from './planVerbs'

/** One plan on a page of its own, named in the address. */
export default detailPage({
  screen: 'yxch/famc',
  from: 'yxch/yxfagl',
  useOne: (id) => {
    useLive({ kinds: ['promotionPlan'], also: [] }, [getPlan])
    return useEndpoint(getPlan, { id }, { errors: 'throw' })
  },
  title: ({ name }) => name,
  head: (plan) => <PlanTags plan={plan} />,
  actions: (plan) => <PlanVerbs plan={plan} />,
  children: (plan) => <PlanBody plan={plan} />,
})
