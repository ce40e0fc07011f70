import { type FieldDay, type FieldProduct, type FieldStop, takeOutReasons } from '@aisle/contract/field/visit'
import { useState } from 'react'
import { businessDay } from '../../../ui/days'
import { Picture } from '../../../ui/picture'
import { useText } from '../../../ui/text'
import { note, usePhone } from './outbox'
import styles from './phone.module.css'
import { type Deed, doneOf, earlierThan, lotsLeft } from './phone.rules'

type Slot = FieldStop['slots'][number]
type Props = { day: FieldDay; stop: FieldStop; slot: Slot; isOpen: boolean }

export function SlotRow({ day, stop, slot, isOpen: isFound }: Props) {
  const t = useText('field')
  const { steps } = usePhone()
  const [isOpen, setOpen] = useState(false)
  const line = stop.lines.find(({ slotCode }) => slotCode === slot.code)
  const product = day.products.find(({ id }) => id === (line?.productId ?? slot.productId))
  const done = doneOf(stop, slot.code, steps)
  const said = [
    done.counted !== null && t('phone.counted', { count: String(done.counted) }),
    done.takenOut > 0 && t('phone.tookOut', { count: String(done.takenOut) }),
    done.filled > 0 && t('phone.filled', { count: String(done.filled) }),
  ].filter(Boolean)
  return (
    <section className={styles.card} data-stage={said.length > 0 ? 'done' : 'waiting'}>
      <button
        type="button"
        className={styles.slot}
        aria-expanded={isOpen || isFound}
        aria-label={`${slot.code} ${product?.name ?? ''}`}
        onClick={() => setOpen(!isOpen)}
      >
        <strong className={styles.slotCode}>{slot.code}</strong>
        <Picture src={product?.picture ?? null} size={56} />
        <span className={styles.grow}>
          {product ? `${product.name} ${product.specification}` : t('phone.noProduct')}
          {line && <small className={styles.faint}>{t(`needReason.${line.reason}`)}</small>}
          {said.length > 0 && <small>{said.join(' · ')}</small>}
        </span>
        {line && <strong className={styles.bring}>+{line.bring}</strong>}
      </button>
      {(isOpen || isFound) && product && (
        <SlotForm
          day={day}
          stop={stop}
          slot={slot}
          product={product}
          held={day.products.find(({ id }) => id === slot.heldId) ?? product}
          bring={Math.max(0, (line?.bring ?? 0) - done.filled)}
          takeOut={Math.max(0, (line?.takeOut ?? 0) - done.takenOut)}
          onDone={() => setOpen(false)}
        />
      )}
    </section>
  )
}

type FormProps = Omit<Props, 'isOpen'> & {
  product: FieldProduct
  /** What stands there, of which something is counted and taken out: the same, unless the slot is to change. */
  held: FieldProduct
  bring: number
  takeOut: number
  onDone: () => void
}

/** Counted first, then what may not stay comes out, then what is new goes in behind the rest. */
function SlotForm({ day, stop, slot, product, held, bring, takeOut, onDone }: FormProps) {
  const t = useText('field')
  const { steps } = usePhone()
  const lots = lotsLeft(day, product, steps)
  const [counted, setCounted] = useState<number | null>(null)
  const [out, setOut] = useState<number | null>(null)
  const [outBatch, setOutBatch] = useState('')
  const isOther = held.id !== product.id
  const [why, setWhy] = useState<Why>(isOther ? 'otherProduct' : 'expired')
  const [filled, setFilled] = useState<number | null>(null)
  const [batch, setBatch] = useState(lots[0]?.batch ?? '')
  const earlier = product.isMedicine ? earlierThan(batch, lots, businessDay(Date.parse(day.at))) : null
  const { orderId, machineId } = stop
  const there = { slotCode: slot.code, productCode: held.code, batch: held.isMedicine ? outBatch : '' }
  const goods = { slotCode: slot.code, productCode: product.code, batch: product.isMedicine ? batch : '' }
  const plannedCode = day.products.find(({ id }) => id === slot.productId)?.code ?? ''
  const planned = { plannedCode, priceFen: slot.priceFen }
  const deeds: Deed[] = [
    ...(counted === null ? [] : [{ kind: 'count' as const, ...there, counted }]),
    ...(out ? [{ kind: 'takeOut' as const, ...there, pieces: out, why }] : []),
    ...(filled ? [{ kind: 'fill' as const, ...goods, ...planned, pieces: filled }] : []),
  ]
  const save = async () => {
    await note({ orderId, machineId }, deeds)
    onDone()
  }
  const known = held.batches.map((each) => each.batch)
  return (
    <div className={styles.form}>
      {isOther && <p className={styles.note}>{t('phone.heldNow', { name: held.name })}</p>}
      <Stepper label={t('phone.count')} value={counted} onChange={setCounted} from={0} />
      <Stepper label={t('phone.takeOut')} value={out} onChange={setOut} from={takeOut} />
      {(out ?? 0) > 0 && <WhyChoice value={why} onChange={setWhy} />}
      {held.isMedicine && (counted !== null || (out ?? 0) > 0) && (
        <BatchChoice label={t('phone.batchThere')} value={outBatch} batches={known} onChange={setOutBatch} />
      )}
      <Stepper label={t('phone.fill')} value={filled} onChange={setFilled} from={bring} />
      {product.isMedicine && (
        <BatchChoice
          label={t('phone.batch')}
          value={batch}
          batches={lots.map((lot) => lot.batch)}
          onChange={setBatch}
        />
      )}
      {earlier && (
        <p role="alert" className={styles.trouble}>
          {t('phone.earlier', { batch: earlier.batch, day: earlier.expiresOn ?? '' })}
        </p>
      )}
      <button type="button" className={styles.first} disabled={deeds.length === 0} onClick={() => void save()}>
        {t('phone.save')}
      </button>
    </div>
  )
}

const MOST = 999
type StepperProps = { label: string; value: number | null; from: number; onChange: (value: number | null) => void }

/** The first touch says the planned number, each one after it one more or less. */
function Stepper({ label, value, from, onChange }: StepperProps) {
  const t = useText('field')
  const step = (by: number) => onChange(Math.min(MOST, Math.max(0, value === null ? from : value + by)))
  return (
    <div className={styles.stepper}>
      <span className={styles.grow}>{label}</span>
      <button
        type="button"
        className={styles.round}
        aria-label={`${label} ${t('phone.less')}`}
        onClick={() => step(-1)}
      >
        −
      </button>
      <input
        className={styles.number}
        inputMode="numeric"
        aria-label={label}
        placeholder={String(from)}
        value={value ?? ''}
        onChange={({ target }) => {
          const digits = target.value.replace(/\D/g, '')
          onChange(digits === '' ? null : Math.min(MOST, Number(digits)))
        }}
      />
      <button type="button" className={styles.round} aria-label={`${label} ${t('phone.more')}`} onClick={() => step(1)}>
        +
      </button>
    </div>
  )
}

type Why = (typeof takeOutReasons)[number]

function WhyChoice({ value, onChange }: { value: Why; onChange: (why: Why) => void }) {
  const t = useText('field')
  const choose = (text: string) => {
    const why = takeOutReasons.find((each) => each === text)
    if (why) onChange(why)
  }
  return (
    <label className={styles.stepper}>
      <span className={styles.grow}>{t('phone.why')}</span>
      <select className={styles.text} value={value} onChange={(event) => choose(event.target.value)}>
        {takeOutReasons.map((why) => (
          <option key={why} value={why}>
            {t(`takeOut.${why}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

type BatchProps = { label: string; value: string; batches: readonly string[]; onChange: (batch: string) => void }

function BatchChoice({ label, value, batches, onChange }: BatchProps) {
  const t = useText('field')
  return (
    <label className={styles.stepper}>
      <span className={styles.grow}>{label}</span>
      <select className={styles.text} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('phone.batchUnknown')}</option>
        {[...new Set(batches)]
          .filter((batch) => batch !== '')
          .map((batch) => (
            <option key={batch}>{batch}</option>
          ))}
      </select>
    </label>
  )
}
