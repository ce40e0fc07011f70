import {
  getPriceAdvice,
  listPriceAdvice,
  type PriceAdviceDetail,
  priceAdviceFields,
  priceTrialState,
  startPriceTrial,
  undoPriceTrial,
} from '@aisle/contract/advice/price'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { PriceBody } from './priceBody'

type Props = { one: PriceAdviceDetail }

export const titleOf = ({ productName }: PriceAdviceDetail) => productName

export function PriceDrawer({ id }: DrawerRow) {
  const title = useText('screens')('yxch/jgtjxq')
  const result = useEndpoint(getPriceAdvice, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={titleOf}
      head={(one) => (
        <>
          <PriceTags one={one} />
          <ScreenLink screen="yxch/jgtjxq" search={{ id: String(id) }}>
            {title}
          </ScreenLink>
        </>
      )}
      actions={(one) => <PriceVerbs one={one} />}
    >
      {(one) => <PriceBody one={one} />}
    </RowDrawer>
  )
}

export function PriceTags({ one: { verdict, trialState } }: Props) {
  const t = useText('advice')
  return (
    <div className="tags">
      <StateCell value={verdict} field={priceAdviceFields.verdict} t={t} />
      {trialState && <StateCell value={trialState} field={priceAdviceFields.trialState} t={t} />}
    </div>
  )
}

const fields = { toFen: { kind: 'money' }, days: { kind: 'count' }, stopPercent: { kind: 'percent' } } as const

export function PriceVerbs({ one }: Props) {
  const t = useText('advice')
  const { id, productName, nowFen, advisedFen, mayTake, needed, trials } = one
  const running = trials.find(({ state }) => priceTrialState.can(state, 'undo'))
  const common = { t, vars: { name: productName, count: mayTake }, changes: [listPriceAdvice, getPriceAdvice] as const }
  if (running)
    return (
      <CommandButton
        {...common}
        endpoint={undoPriceTrial}
        verb="undoPriceTrial"
        tone="danger"
        target={{ id: running.id }}
      />
    )
  return (
    <CommandButton
      {...common}
      endpoint={startPriceTrial}
      verb="startPriceTrial"
      tone="main"
      fields={fields}
      target={{ id }}
      initial={{ toFen: advisedFen ?? nowFen, days: 14, stopPercent: 15 }}
      isEnabled={mayTake >= needed}
    />
  )
}
