import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getPlan, planFields } from '@aisle/contract/promotion/plan'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { PlanBody } from './planBody'
import { PlanVerbs } from './planVerbs'

export type PlanDetail = OutputOf<typeof getPlan>

export function PlanDrawer({ id }: DrawerRow) {
  const t = useText('promotion')
  const result = useEndpoint(getPlan, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={(plan) => <PlanTags plan={plan} />}
      actions={(plan) => <PlanVerbs plan={plan} />}
    >
      {(plan) => (
        <>
          <p>
            <ScreenLink screen="yxch/famc" search={{ id: String(id) }}>
              {t('plan.whole')}
            </ScreenLink>
          </p>
          <PlanBody plan={plan} />
        </>
      )}
    </RowDrawer>
  )
}

export function PlanTags({ plan: { state, marks } }: { plan: PlanDetail }) {
  const t = useText('promotion')
  return (
    <div className="tags">
      <StateCell value={state} field={planFields.state} t={t} />
      {marks.length > 0 && <StatesCell value={marks} field={planFields.marks} t={t} />}
    </div>
  )
}
