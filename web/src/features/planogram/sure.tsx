import type { PlanSlot } from '@aisle/contract/planogram/slot'
import { useText } from '../../ui/text'
import styles from './slots.module.css'

/** Asked where more is said to be in slots than fits in; nothing where all fits. */
export function Sure(props: {
  slots: readonly Pick<PlanSlot, 'code' | 'stock' | 'capacity'>[]
  isSure: boolean
  onChange: (isSure: boolean) => void
}) {
  const t = useText('planogram')
  const { slots, isSure, onChange } = props
  if (slots.length === 0) return null
  return (
    <label className={styles.saveHeld}>
      <input type="checkbox" checked={isSure} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {slots.map(({ code, stock: count, capacity }) => t('slot.over', { code, count, capacity })).join(' ')}
        <br />
        {t('slot.sure')}
      </span>
    </label>
  )
}
