import { listMembers } from '@aisle/contract/member/member'
import { listMemberUnits } from '@aisle/contract/member/memberUnit'
import {
  getCouponPlan,
  issueAudiences,
  issueFields,
  issueCoupons,
  listCouponPlans,
  previewIssue,
} from '@aisle/contract/promotion/coupon'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { z } from 'zod'
import { indented } from '../../admin/fields/indented'
import { countText } from '../../admin/fields/number'
import { When } from '../../admin/fields/time'
import { Form } from '../../admin/form/form'
import { controlProps, type InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/refInput'
import type { Values } from '../../admin/form/schema'
import { severalInput } from '../../admin/form/severalInput'
import { useAddress } from '../../admin/useAddress'
import { refetch, useEndpoint } from '../../live/query'
import { Hints } from '../../ui/feedback/hint'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { planFormFields } from './planInputs'
import { changesOf, couponCalls } from './voucherCalls'

const screen = screenOf('yxch/yhq')
const shape = { id: z.coerce.number().int().positive().optional() }

/** For who runs a campaign: to whom one kind of coupon goes, seen as a number before it does. */
export default function IssuePage() {
  const title = useText('screens').any(screen.key)
  const { id } = useAddress(screen.path, shape).query
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      <Issue key={id} planId={id === undefined ? undefined : Number(id)} />
      <Hints />
    </div>
  )
}

const PlanInput = refInput({
  list: listCouponPlans,
  query: { state: 'listed' },
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  wordOf: ({ planName }) => (typeof planName === 'string' ? planName : ''),
})

/** One that the address names stands there by its name. */
function NamedPlanInput(props: InputProps) {
  const { value, values } = props
  const isNamed = typeof value === 'number'
  const { data } = useEndpoint(getCouponPlan, { id: Number(value) }, { errors: 'silent', enabled: isNamed })
  return <PlanInput {...props} values={{ ...values, planName: isNamed ? data?.name : '' }} />
}

const MembersInput = severalInput(listMembers, ({ id, number, name, phone }) => ({
  value: id,
  word: `${name} ${number}`,
  note: phone,
}))

/** A school, a grade, a company: each stands for all below it. */
function UnitInput(props: InputProps) {
  const { data } = useEndpoint(listMemberUnits, {}, { errors: 'silent', staleTime: 30_000 })
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="" />
      {indented(data?.items ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** The levels that members have, by their words. */
function LevelInput(props: InputProps) {
  const t = useText('promotion')
  return (
    <select
      {...controlProps(props)}
      value={props.value === null || props.value === undefined ? '' : String(props.value)}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="" />
      {Object.keys(planFormFields.levels.tones).map((level) => (
        <option key={level} value={level}>
          {t.any(`memberLevel.${level}`)}
        </option>
      ))}
    </select>
  )
}

const needed = { members: 'memberIds', level: 'level', unit: 'unitId', bearer: 'count' } as const
const names = ['planId', 'audience', ...Object.values(needed), 'reason']

/** What the chosen audience has no use for. */
function withoutOthers({ audience }: Values): string[] {
  const chosen = issueAudiences.find((each) => each === audience)
  return Object.values(needed).filter((name) => !chosen || needed[chosen] !== name)
}

function Issue({ planId }: { planId: number | undefined }) {
  const t = useText('promotion')
  const navigate = useNavigate()
  const done = async ({ id, count }: { id: number; count: number }) => {
    toast('good', t('voucher.issued', { count: countText(count) }))
    await refetch(...changesOf(couponCalls))
    await navigate({ to: screenOf('yxch/yhqmx').path, search: { batchId: String(id) } })
  }
  return (
    <Form
      spec={{
        endpoint: issueCoupons,
        t,
        fields: issueFields,
        names,
        inputs: {
          planId: NamedPlanInput,
          memberIds: MembersInput,
          unitId: UnitInput,
          level: LevelInput,
        },
        needed: Object.values(needed),
        without: withoutOthers,
        initial: { audience: 'members', ...(planId !== undefined && { planId }) },
        preview: Preview,
      }}
      save={t('voucher.give')}
      onSaved={done}
    />
  )
}

/** Asked again with each change: who would get one, and how many are left then. */
function Preview({ values }: { values: Values }) {
  const t = useText('promotion')
  const wanted = useDeferredValue({ ...values, reason: 'preview' })
  const isWhole = previewIssue.input.safeParse(wanted).success
  const { data, error } = useEndpoint(previewIssue, wanted as CallOf<typeof previewIssue>, {
    errors: 'silent',
    enabled: isWhole,
    staleTime: 0,
    gcTime: 0,
  })
  if (!isWhole) return <p className="quiet">{t('voucher.preview.waiting')}</p>
  if (error) {
    return (
      <p className="fault" role="alert">
        {error.message}
      </p>
    )
  }
  if (!data) return <p className="quiet">{t('voucher.preview.counting')}</p>
  const { members, atLimit, count, left, expiresAt } = data
  return (
    <div role="status">
      <p>
        <strong>{t('voucher.preview.gets', { count: countText(count) })}</strong>
      </p>
      {members > 0 && (
        <p className="quiet">
          {t('voucher.preview.members', { members: countText(members), atLimit: countText(atLimit) })}
        </p>
      )}
      {left !== null && (
        <p className={count > left ? 'fault' : 'quiet'}>{t('voucher.preview.left', { left: countText(left) })}</p>
      )}
      <p className="quiet">
        {t('field.expiresAt')} <When at={expiresAt} />
      </p>
    </div>
  )
}
