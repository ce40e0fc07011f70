import type { FieldStop } from '@aisle/contract/field/visit'
import { useState } from 'react'
import { useText } from '../../../ui/text'
import { note } from './outbox'
import styles from './phone.module.css'

const LEAST = 2
const MOST = 200

/** What is broken becomes a repair order. */
export function FaultForm({ stop: { orderId, machineId, slots } }: { stop: FieldStop }) {
  const t = useText('field')
  const [isOpen, setOpen] = useState(false)
  const [slotCode, setSlotCode] = useState('')
  const [what, setWhat] = useState('')
  if (!isOpen) {
    return (
      <button type="button" className={styles.second} onClick={() => setOpen(true)}>
        {t('phone.fault')}
      </button>
    )
  }
  const save = async () => {
    await note({ orderId, machineId }, [{ kind: 'fault', slotCode, what: what.trim(), picture: null }])
    setWhat('')
    setOpen(false)
  }
  return (
    <div className={styles.card}>
      <select
        className={styles.text}
        aria-label={t('field.slotCode')}
        value={slotCode}
        onChange={(event) => setSlotCode(event.target.value)}
      >
        <option value="">{t('phone.wholeMachine')}</option>
        {slots.map(({ code }) => (
          <option key={code}>{code}</option>
        ))}
      </select>
      <input
        className={styles.text}
        aria-label={t('phone.what')}
        placeholder={t('phone.what')}
        maxLength={MOST}
        value={what}
        onChange={(event) => setWhat(event.target.value)}
      />
      <button type="button" className={styles.first} disabled={what.trim().length < LEAST} onClick={() => void save()}>
        {t('phone.faultSave')}
      </button>
    </div>
  )
}
