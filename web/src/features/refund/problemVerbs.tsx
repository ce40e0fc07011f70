import { listRemoteShips, remoteShip } from '@aisle/contract/device/remoteShip'
import {
  agreeProblem,
  confirmProblem,
  dropProblem,
  getProblem,
  listProblems,
  problemState,
  summariseProblems,
} from '@aisle/contract/refund/problem'
import { refundFields } from '@aisle/contract/refund/refund'
import { applyRefund } from '@aisle/contract/refund/verbs'
import { moneyText } from '@aisle/contract/kernel/text'
import { type ComponentType, useMemo } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useLanguage, useText } from '../../ui/text'
import type { ProblemDetail } from './problemDrawer'
import { shownRefunds } from './refundVerbs'

const shown = [listProblems, getProblem, summariseProblems, ...shownRefunds] as const

/** Refund, ship again, or close as it stands; a second person agrees to what is above the limit. */
export function ProblemVerbs({ problem }: { problem: ProblemDetail }) {
  const t = useText('refund')
  const { id, state, orderNo, machineId, machineCode, machine, isAskedByMe } = problem
  const slots = machine.slots
  const SlotInput = useMemo(() => slotInput(slots), [slots])
  const common = { t, target: { id }, changes: shown }
  const isOpen = problemState.can(state, 'ask')
  const hasStock = slots.some(({ stock }) => stock > 0)
  return (
    <>
      {problemState.can(state, 'drop') && (
        <>
          <CommandButton {...common} endpoint={agreeProblem} verb="agreeProblem" tone="main" isEnabled={!isAskedByMe} />
          <CommandButton {...common} endpoint={dropProblem} verb="dropProblem" />
        </>
      )}
      {isOpen && <Refund problem={problem} />}
      {isOpen && (
        <CommandButton
          endpoint={remoteShip}
          verb="shipAgain"
          t={t}
          target={{ id: machineId, orderNo }}
          vars={{ machine: machineCode }}
          names={['slot', 'reason']}
          inputs={{ slot: SlotInput }}
          initial={{ slot: slots[0]?.code ?? '' }}
          isEnabled={hasStock}
          changes={[...shown, listRemoteShips]}
        />
      )}
      <CommandButton {...common} endpoint={confirmProblem} verb="confirmProblem" isEnabled={isOpen} />
    </>
  )
}

/** Of what is owed, item by item; else of an amount that the person names. */
function Refund({ problem: { orderNo, owedItems, dueBackFen, leftFen } }: { problem: ProblemDetail }) {
  const t = useText('refund')
  const amount = moneyText(dueBackFen, useLanguage())
  const isOwed = owedItems.length > 0
  const verb = isOwed ? 'refundOwed' : 'applyRefund'
  return (
    <CommandButton
      endpoint={applyRefund}
      verb={verb}
      t={t}
      tone="main"
      isEnabled={leftFen > 0}
      target={isOwed ? { orderNo, items: owedItems } : { orderNo }}
      vars={{ amount }}
      fields={refundFields}
      names={isOwed ? ['reason'] : ['amountFen', 'reason']}
      initial={isOwed ? {} : { amountFen: dueBackFen || leftFen }}
      changes={shown}
    />
  )
}

/** Slots that hold what is still owed, the fullest first. */
function slotInput(slots: ProblemDetail['machine']['slots']): ComponentType<InputProps> {
  return function SlotInput(props) {
    const t = useText('refund')
    return (
      <select
        {...controlProps(props)}
        value={typeof props.value === 'string' ? props.value : ''}
        onChange={({ target }) => props.onChange(target.value)}
      >
        {slots.map(({ code, productName, stock }) => (
          <option key={code} value={code} disabled={stock === 0}>
            {t('ship.slot', { slot: code, product: productName, stock })}
          </option>
        ))}
      </select>
    )
  }
}
