import type { FieldDay, FieldStop } from '@aisle/contract/field/visit'
import { useState } from 'react'
import { useText } from '../../../ui/text'
import { CashForm } from './cashForm'
import { FaultForm } from './faultForm'
import { flush, note, usePhone } from './outbox'
import { shrunk } from './photo'
import { keepPhoto } from './phone.store'
import styles from './phone.module.css'
import { foundBy, reviewsOfStop, stageOf } from './phone.rules'
import { Reviews } from './reviews'
import { ScanBox } from './scan'
import { SlotRow } from './slotRow'

/** At the machine: each step is one large button, in the order in which the work is done. */
export function VisitPage({ day, stop }: { day: FieldDay; stop: FieldStop }) {
  const t = useText('field')
  const { steps } = usePhone()
  const [code, setCode] = useState('')
  const [isAll, setAll] = useState(false)
  const stage = stageOf(stop, steps)
  const { orderId, machineId } = stop
  const where = { orderId, machineId }
  const isUnderWay = day.orders.find(({ id }) => id === orderId)?.state === 'underWay'
  const planned = new Set(stop.lines.map(({ slotCode }) => slotCode))
  const found = new Set(foundBy(code, day, stop))
  const slots = stop.slots.filter((slot) => found.has(slot.code) && (isAll || code !== '' || planned.has(slot.code)))
  const reviews = reviewsOfStop(stop, day.reviews)
  return (
    <main className={styles.main}>
      <a className={styles.second} href="#">
        {t('phone.back')}
      </a>
      <h1 className={styles.title}>
        {stop.machineName} · {stop.machineCode}
      </h1>
      <p className={styles.faint}>
        {stop.pointName} · {stop.address}
      </p>
      {!isUnderWay && <p className={styles.trouble}>{t('phone.notSetOut')}</p>}
      {stage === 'waiting' && (
        <button
          type="button"
          className={styles.first}
          disabled={!isUnderWay}
          onClick={() => void note(where, [{ kind: 'open' }])}
        >
          {t('phone.open')}
        </button>
      )}
      {stage !== 'waiting' && (
        <>
          <PhotoButton when="before" where={where} />
          <ScanBox value={code} onChange={setCode} />
          <ul className={styles.list}>
            {slots.map((slot) => (
              <li key={slot.code}>
                <SlotRow day={day} stop={stop} slot={slot} isOpen={code !== '' && slots.length === 1} />
              </li>
            ))}
          </ul>
          {slots.length === 0 && <p className={styles.note}>{t('phone.noSlot')}</p>}
          <button type="button" className={styles.second} onClick={() => setAll(!isAll)}>
            {t(isAll ? 'phone.plannedOnly' : 'phone.allSlots')}
          </button>
          <CashForm stop={stop} />
          <FaultForm stop={stop} />
          <PhotoButton when="after" where={where} />
          {stage === 'open' && (
            <button type="button" className={styles.first} onClick={() => void note(where, [{ kind: 'done' }])}>
              {t('phone.done')}
            </button>
          )}
          {stage === 'done' && <p className={styles.note}>{t('phone.stage.done')}</p>}
        </>
      )}
      {reviews.length > 0 && <Reviews reviews={reviews} onDecided={flush} />}
    </main>
  )
}

type PhotoProps = { when: 'before' | 'after'; where: { orderId: number; machineId: number } }

function PhotoButton({ when, where }: PhotoProps) {
  const t = useText('field')
  const { steps } = usePhone()
  const [isBroken, setBroken] = useState(false)
  const { orderId, machineId } = where
  const taken = steps.filter(
    ({ deed, ...step }) =>
      step.orderId === orderId && step.machineId === machineId && deed.kind === 'photo' && deed.when === when,
  )
  const take = async (file: File | undefined) => {
    if (!file) return
    try {
      await note(where, [{ kind: 'photo', when, picture: await keepPhoto(await shrunk(file)) }])
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <label className={styles.second}>
      {t(`phone.photo.${when}`)}
      {taken.length > 0 && ` ✓ ${taken.length}`}
      <input
        className={styles.hidden}
        type="file"
        accept="image/*"
        capture="environment"
        onChange={(event) => void take(event.target.files?.[0])}
      />
      {isBroken && <span className={styles.trouble}>{t('phone.photoBroken')}</span>}
    </label>
  )
}
