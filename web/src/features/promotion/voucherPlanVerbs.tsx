import { addCodeBatch, addCodePlan, editCodePlan } from '@aisle/contract/promotion/code'
import { addCouponPlan, editCouponPlan } from '@aisle/contract/promotion/coupon'
import { planState, valuesOfKind } from '@aisle/contract/promotion/plan'
import { voucherPlanFields, voucherPlanKinds } from '@aisle/contract/promotion/voucherPlan'
import { screenOf } from '@aisle/contract/screens'
import { useState } from 'react'
import { AppLink } from '../../admin/appLink'
import { CommandButton } from '../../admin/commandButton'
import type { Values } from '../../admin/form/schema'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { planInputs } from './planInputs'
import { changesOf, codeCalls, couponCalls, type VoucherCalls } from './voucherCalls'
import type { VoucherPlanDetail } from './voucherPlanDrawer'

const groupsOf = (own: readonly string[], limits: readonly string[]) => [
  { key: 'what', names: ['name', 'kind', 'paidPercent', 'leastFen', 'amountFen', 'isReturned'] },
  { key: 'where', names: ['productIds', 'categoryIds', 'machineIds', 'groupIds'] },
  { key: 'when', names: ['startsOn', 'endsOn', ...own] },
  { key: 'rank', names: [...limits, 'perMember', 'priority', 'stacks'] },
]
const couponGroups = groupsOf(['validDays'], ['maxIssued'])
const codeGroups = groupsOf([], ['usesPerCode'])

const isKind = (value: unknown) => voucherPlanKinds.find((kind) => kind === value)
function withoutOthers({ kind }: Values): string[] {
  const known = isKind(kind)
  const own: readonly string[] = known ? valuesOfKind[known] : []
  return ['paidPercent', 'leastFen', 'amountFen'].filter((name) => !own.includes(name))
}

const form = { fields: voucherPlanFields, without: withoutOthers }
const fresh = { kind: 'threshold', priority: 5, isReturned: true, stacks: false }
const newInputs = planInputs()

export function AddCouponPlan() {
  const t = useText('promotion')
  const shape = { ...form, t, groups: couponGroups, inputs: newInputs, initial: fresh }
  return (
    <CommandButton
      {...shape}
      endpoint={addCouponPlan}
      verb="addCouponPlan"
      tone="main"
      changes={changesOf(couponCalls)}
    />
  )
}

export function AddCodePlan() {
  const t = useText('promotion')
  const shape = { ...form, t, groups: codeGroups, inputs: newInputs, initial: { ...fresh, usesPerCode: 1 } }
  return (
    <CommandButton {...shape} endpoint={addCodePlan} verb="addCodePlan" tone="main" changes={changesOf(codeCalls)} />
  )
}

type Verbs = { plan: VoucherPlanDetail; calls: VoucherCalls }

/** The next step stands first; what the state does not allow is grey and says why. */
export function VoucherPlanVerbs({ plan, calls }: Verbs) {
  const t = useText('promotion')
  const { id, state, name, conflicts } = plan
  const common = { t, target: { id }, vars: { name, count: conflicts.length }, changes: changesOf(calls) }
  const isAble = (verb: keyof typeof planState.moves) => planState.can(state, verb)
  const isNowhere = conflicts.some(({ kind }) => kind === 'nowhere')
  return (
    <>
      {!isAble('pause') && (
        <CommandButton
          {...common}
          endpoint={calls.listPlan}
          verb="listVoucherPlan"
          tone="main"
          target={{ id, conflictsSeen: conflicts.length }}
          isEnabled={isAble('list') && !isNowhere}
        />
      )}
      {planState.is(state, 'listed') && (calls.kind === 'coupon' ? <Give id={id} /> : <MakeCodes plan={plan} />)}
      {isAble('pause') && <CommandButton {...common} endpoint={calls.pausePlan} verb="pauseVoucherPlan" />}
      <EditPlan key={plan.version} plan={plan} calls={calls} />
      <CommandButton
        {...common}
        endpoint={calls.endPlan}
        verb="endVoucherPlan"
        tone="danger"
        isEnabled={isAble('end')}
      />
    </>
  )
}

function Give({ id }: { id: number }) {
  const t = useText('promotion')
  const screen = screenOf('yxch/yhq')
  if (!can(screen.access)) return null
  return (
    <AppLink path={screen.path} search={{ id: String(id) }} className="btn btn-main">
      {t('voucher.give')}
    </AppLink>
  )
}

function MakeCodes({ plan: { id } }: { plan: VoucherPlanDetail }) {
  const t = useText('promotion')
  return (
    <CommandButton
      t={t}
      endpoint={addCodeBatch}
      verb="addCodeBatch"
      tone="main"
      target={{ id }}
      initial={{ count: 100 }}
      changes={changesOf(codeCalls)}
    />
  )
}

function EditPlan({ plan, calls }: Verbs) {
  const t = useText('promotion')
  const [inputs] = useState(() => planInputs(plan))
  const { id, version, products, categories, machines, groups } = plan
  const idsOf = (of: readonly { id: number }[]) => of.map((one) => one.id)
  const named = {
    productIds: idsOf(products),
    categoryIds: idsOf(categories),
    machineIds: idsOf(machines),
    groupIds: idsOf(groups),
  }
  const values: Record<string, unknown> = { ...plan, ...named }
  const isCoupon = calls.kind === 'coupon'
  const own = isCoupon ? couponGroups : codeGroups
  const shape = {
    ...form,
    t,
    groups: own,
    inputs,
    verb: 'editVoucherPlan',
    target: { id, version },
    initial: Object.fromEntries(own.flatMap(({ names }) => names).map((name) => [name, values[name]])),
    isEnabled: planState.is(plan.state, 'editable'),
    changes: changesOf(calls),
  }
  return isCoupon ? (
    <CommandButton {...shape} endpoint={editCouponPlan} />
  ) : (
    <CommandButton {...shape} endpoint={editCodePlan} />
  )
}
