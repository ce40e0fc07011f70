import type { FieldStop } from '@aisle/contract/field/visit'
import { useState } from 'react'
import { useText } from '../../../ui/text'
import { note, usePhone } from './outbox'
import styles from './phone.module.css'

const MOST = 40

/** The box is told by its number; what is in it is counted by somebody else. */
export function CashForm({ stop: { orderId, machineId } }: { stop: FieldStop }) {
  const t = useText('field')
  const { steps } = usePhone()
  const [isOpen, setOpen] = useState(false)
  const [boxNo, setBoxNo] = useState('')
  const taken = steps.flatMap(({ deed, ...step }) =>
    step.orderId === orderId && step.machineId === machineId && deed.kind === 'cash' ? [deed.boxNo] : [],
  )
  const take = async () => {
    await note({ orderId, machineId }, [{ kind: 'cash', boxNo: boxNo.trim() }])
    setBoxNo('')
    setOpen(false)
  }
  if (!isOpen) {
    return (
      <button type="button" className={styles.second} onClick={() => setOpen(true)}>
        {t('phone.cash')}
        {taken.length > 0 && ` ✓ ${taken.join(', ')}`}
      </button>
    )
  }
  return (
    <div className={styles.card}>
      <input
        className={styles.text}
        aria-label={t('field.boxNo')}
        placeholder={t('field.boxNo')}
        maxLength={MOST}
        value={boxNo}
        onChange={(event) => setBoxNo(event.target.value)}
      />
      <button type="button" className={styles.first} disabled={boxNo.trim() === ''} onClick={() => void take()}>
        {t('phone.cashTaken')}
      </button>
    </div>
  )
}
