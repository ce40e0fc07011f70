import { getPlan } from '@aisle/contract/promotion/plan'
import { screenOf } from '@aisle/contract/screens'
import { z } from 'zod'
import { AppLink } from '../../admin/appLink'
import { Failure } from '../../admin/failure'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { PlanBody } from './planBody'
import { PlanTags } from './planDrawer'
import { PlanVerbs } from './planVerbs'

const screen = screenOf('yxch/famc')
const shape = { id: z.coerce.number().int().positive().optional() }

/** One plan on a page of its own, named in the address. */
export default function PlanPage() {
  const title = useText('screens')('yxch/famc')
  const { id } = useAddress(screen.path, shape).query
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {id ? <Plan key={id} id={Number(id)} /> : <Nothing />}
      <Hints />
    </div>
  )
}

function Plan({ id }: { id: number }) {
  const { data, error, refetch } = useEndpoint(getPlan, { id }, { errors: 'throw' })
  useLive({ kinds: ['promotionPlan'], also: [] }, [getPlan])
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <section className="list-card" aria-label={data.name}>
      <h2>{data.name}</h2>
      <PlanTags plan={data} />
      <div className="list-actions">
        <PlanVerbs plan={data} />
      </div>
      <PlanBody plan={data} />
    </section>
  )
}

function Nothing() {
  const t = useText('promotion')
  return (
    <Empty icon="receipt" title={t('plan.none')} text={t('plan.none.hint')}>
      <AppLink path={screenOf('yxch/yxfagl').path} search={{}} className="btn btn-main">
        {t('plan.go')}
      </AppLink>
    </Empty>
  )
}
