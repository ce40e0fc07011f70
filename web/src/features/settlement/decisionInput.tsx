import { type Decision, decisionsOf, type DifferenceKind, differenceKinds } from '@aisle/contract/settlement/states'
import type { ComponentType } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

/** What may be decided about a kind of difference, with what it does; one input for each kind. */
export const decisionInputs = Object.fromEntries(
  differenceKinds.map((kind) => [kind, inputOf(decisionsOf[kind])]),
) as Record<DifferenceKind, ComponentType<InputProps>>

function inputOf(choices: readonly Decision[]): ComponentType<InputProps> {
  return function DecisionInput(props) {
    const t = useText('settlement')
    const chosen = choices.find((each) => each === props.value)
    return (
      <div className={styles.decisionChoice}>
        <select
          {...controlProps(props)}
          value={chosen ?? ''}
          onChange={({ target }) => props.onChange(target.value || undefined)}
        >
          <option value="" />
          {choices.map((each) => (
            <option key={each} value={each}>
              {t(`decision.${each}`)}
            </option>
          ))}
        </select>
        {chosen && <small>{t(`decision.${chosen}.help`)}</small>}
      </div>
    )
  }
}
