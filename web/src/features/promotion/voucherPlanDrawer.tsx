import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type getCouponPlan } from '@aisle/contract/promotion/coupon'
import { voucherPlanFields } from '@aisle/contract/promotion/voucherPlan'
import { countText, percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell, StatesCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Conflicts, Scope } from './planBody'
import { codeCalls, couponCalls, type VoucherCalls } from './voucherCalls'
import { Batches } from './voucherBatches'
import { VoucherPlanVerbs } from './voucherPlanVerbs'

export type VoucherPlanDetail = OutputOf<typeof getCouponPlan>

const drawerOf = (calls: VoucherCalls) =>
  function VoucherPlanDrawer({ id }: DrawerRow) {
    const t = useText('promotion')
    const result = useEndpoint(
      calls.getPlan,
      { id },
      {
        errors: 'throw',
        refetchInterval: ({ state: { data } }) => data?.batches.some(({ made, count }) => made < count) && LOOK_MS,
      },
    )
    return (
      <RowDrawer
        result={result}
        title={({ name }) => name}
        head={({ state, marks }) => (
          <div className="tags">
            <StateCell value={state} field={voucherPlanFields.state} t={t} />
            {marks.length > 0 && <StatesCell value={marks} field={voucherPlanFields.marks} t={t} />}
          </div>
        )}
        actions={(plan) => <VoucherPlanVerbs plan={plan} calls={calls} />}
      >
        {(plan) => (
          <>
            <Conflicts plan={plan} />
            <Standing plan={plan} calls={calls} />
            <Rules plan={plan} calls={calls} />
            <Scope plan={plan} />
            <Batches plan={plan} calls={calls} />
          </>
        )}
      </RowDrawer>
    )
  }
/** How often one that is being made is asked how far it is. */
const LOOK_MS = 2_000

export const CouponPlanDrawer = drawerOf(couponCalls)
export const CodePlanDrawer = drawerOf(codeCalls)

/** Each number leads to its coupons or codes. */
function Standing({ plan, calls }: { plan: VoucherPlanDetail; calls: VoucherCalls }) {
  const t = useText('promotion')
  const { id, issued, maxIssued } = plan
  const link = (count: number, state?: string) => (
    <ScreenLink screen={calls.details} search={{ planId: String(id), ...(state && { state }) }}>
      {countText(count)}
    </ScreenLink>
  )
  return (
    <Section title={t('plan.results')}>
      <Facts
        facts={[
          {
            label: t('field.issued'),
            value: (
              <>
                {link(issued)}
                {maxIssued !== null && ` / ${countText(maxIssued)}`}
              </>
            ),
          },
          { label: t('field.used'), value: countText(plan.used) },
          { label: t('field.expired'), value: link(plan.expired, 'expired') },
          { label: t('field.cancelled'), value: link(plan.cancelled, 'cancelled') },
          { label: t('field.givenFen'), value: <Money fen={plan.givenFen} /> },
          { label: t('field.salesFen'), value: <Money fen={plan.salesFen} /> },
        ]}
      />
    </Section>
  )
}

function Rules({ plan, calls: { kind } }: { plan: VoucherPlanDetail; calls: VoucherCalls }) {
  const t = useText('promotion')
  const { paidPercent, leastFen, amountFen, startsOn, endsOn, endedAt } = plan
  return (
    <Section title={t('plan.rules')}>
      <Facts
        facts={[
          { label: t('field.kind'), value: t(`voucherPlanKind.${plan.kind}`) },
          { label: t('field.paidPercent'), value: paidPercent === null ? null : percentText(paidPercent) },
          { label: t('field.leastFen'), value: leastFen === null ? null : <Money fen={leastFen} /> },
          { label: t('field.amountFen'), value: amountFen === null ? null : <Money fen={amountFen} /> },
          { label: t('field.startsOn'), value: startsOn && <Day on={startsOn} /> },
          { label: t('field.endsOn'), value: endsOn && <Day on={endsOn} /> },
          { label: t('field.validDays'), value: plan.validDays },
          { label: t('field.usesPerCode'), value: plan.usesPerCode },
          { label: t('field.perMember'), value: plan.perMember },
          {
            label: t('field.isReturned'),
            value: t(plan.isReturned ? `voucher.back.${kind}` : `voucher.spent.${kind}`),
          },
          { label: t('field.priority'), value: plan.priority },
          { label: t('field.stacks'), value: t(plan.stacks ? 'plan.stacks' : 'plan.alone') },
          { label: t('field.merchantName'), value: plan.merchantName },
          { label: t('field.createdBy'), value: plan.createdBy },
          { label: t('field.createdAt'), value: <When at={plan.createdAt} /> },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
        ]}
      />
    </Section>
  )
}
