import {
  acceptCashDifference,
  cancelCashBox,
  cashCollectionFields,
  cashCollectionState,
  countCashBox,
  getCashCollection,
  listCashCollections,
  recountCashBox,
  summariseCash,
  takeCashBox,
} from '@aisle/contract/field/cashCollection'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { MachineInput } from '../../shelf/machineInput'
import { useText } from '../../ui/text'

export type CashDetail = OutputOf<typeof getCashCollection>
const changes = [listCashCollections, getCashCollection, summariseCash] as const
const inputs = { machineCode: MachineInput }

export function CashActions() {
  const t = useText('field')
  return (
    <CommandButton
      endpoint={takeCashBox}
      verb="takeCashBox"
      t={t}
      tone="main"
      fields={cashCollectionFields}
      inputs={inputs}
      names={['machineCode', 'boxNo', 'takenAt']}
      changes={changes}
    />
  )
}

/** What waits for somebody else is grey and says so. */
export function CashVerbs({ box: { id, state, mayCount, mayDecide } }: { box: CashDetail }) {
  const t = useText('field')
  const common = { t, target: { id }, changes }
  const isTaken = cashCollectionState.can(state, 'count')
  const isCounted = cashCollectionState.can(state, 'recount')
  return (
    <>
      {isTaken && (
        <CommandButton
          {...common}
          endpoint={countCashBox}
          verb="countCashBox"
          tone="main"
          fields={cashCollectionFields}
          isEnabled={mayCount}
        />
      )}
      {isTaken && <CommandButton {...common} endpoint={cancelCashBox} verb="cancelCashBox" tone="danger" />}
      {isCounted && (
        <CommandButton
          {...common}
          endpoint={acceptCashDifference}
          verb="acceptCashDifference"
          tone="main"
          isEnabled={mayDecide}
        />
      )}
      {isCounted && <CommandButton {...common} endpoint={recountCashBox} verb="recountCashBox" />}
    </>
  )
}
