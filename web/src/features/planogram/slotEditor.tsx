import { type PlanSlot, slotChoices } from '@aisle/contract/planogram/slot'
import { type ReactNode, useId, useState } from 'react'
import { ProductLink } from '../../shelf/productLink'
import { fenOf, numberOf, yuanText } from '../../ui/amount'
import { useText } from '../../ui/text'
import { type Change, common, emptying } from './draft.rules'
import styles from './slotEditor.module.css'
import { classes } from '../../ui/classes'

/** What the picked slots shall be; where they differ, a field stays open until somebody fills it for all. */
export function SlotEditor(props: {
  slots: readonly PlanSlot[]
  onChange: (change: Change) => void
  /** Verbs for the picked slots. */
  children?: ReactNode
}) {
  const { slots, onChange, children } = props
  const t = useText('planogram')
  const choiceId = useId()
  const lockId = useId()
  const choice = common(slots, 'choice')
  const isLocked = common(slots, 'isLocked')
  const productId = common(slots, 'productId')
  const productName = common(slots, 'productName')
  const codes = slots.map(({ code }) => code).join(' ')
  return (
    <section className={classes('list-card', styles.editor)} aria-label={t('editor', { count: slots.length })}>
      <h2>{slots.length === 1 ? codes : t('editor', { count: slots.length })}</h2>
      {slots.length > 1 && <p className={classes('quiet', styles.codes)}>{codes}</p>}
      {productId && productName ? (
        <p className={styles.codes}>
          <ProductLink id={productId}>{productName}</ProductLink>
        </p>
      ) : null}
      <PlanFields slots={slots} onChange={onChange} />
      <label htmlFor={choiceId}>{t('field.choice')}</label>
      <select
        id={choiceId}
        value={choice ?? ''}
        onChange={({ target }) => {
          const picked = slotChoices.find((each) => each === target.value)
          if (picked) onChange({ choice: picked })
        }}
      >
        {choice === undefined && <option value="">{t('editor.mixed')}</option>}
        {slotChoices.map((each) => (
          <option key={each} value={each}>
            {t(`choice.${each}`)}
          </option>
        ))}
      </select>
      <label htmlFor={lockId}>{t('field.isLocked')}</label>
      <input
        id={lockId}
        type="checkbox"
        checked={isLocked === true}
        ref={(box) => {
          if (box) box.indeterminate = isLocked === undefined
        }}
        onChange={({ target }) => onChange({ isLocked: target.checked })}
      />
      <div className={styles.verbs}>
        <button
          type="button"
          className="btn"
          disabled={slots.every(({ productId }) => productId === null)}
          onClick={() => onChange(emptying)}
        >
          {t('editor.empty')}
        </button>
        {children}
      </div>
    </section>
  )
}

type Planned = { priceFen: number | null; capacity: number; alarmThreshold: number }
const MOST_PIECES = 999

/** Price, size and threshold: what slots of machines and templates have alike. */
export function PlanFields(props: { slots: readonly Planned[]; onChange: (change: Partial<Planned>) => void }) {
  const { slots, onChange } = props
  const t = useText('planogram')
  const pieces = (text: string) => {
    const count = numberOf(text)
    return count !== null && Number.isInteger(count) && count >= 0 && count <= MOST_PIECES ? count : null
  }
  const priceOf = (text: string) => {
    const price = fenOf(text)
    return price !== null && price >= 0 && price <= 10_000_000 ? price : null
  }
  const price = common(slots, 'priceFen')
  const size = common(slots, 'capacity')
  const threshold = common(slots, 'alarmThreshold')
  const key = JSON.stringify([price, size, threshold, slots.length])
  const mixed = t('editor.mixed')
  return (
    <>
      <Typed
        key={`price ${key}`}
        label={t('field.priceFen')}
        rule={t('rule.priceFen')}
        placeholder={price === undefined ? mixed : '–'}
        text={typeof price === 'number' ? yuanText(price) : ''}
        read={priceOf}
        onRead={(priceFen) => onChange({ priceFen })}
      />
      <Typed
        key={`size ${key}`}
        label={t('field.capacity')}
        rule={t('rule.pieces')}
        placeholder={mixed}
        text={size === undefined ? '' : String(size)}
        read={pieces}
        onRead={(capacity) => onChange({ capacity })}
      />
      <Typed
        key={`threshold ${key}`}
        label={t('field.alarmThreshold')}
        rule={t('rule.pieces')}
        placeholder={mixed}
        text={threshold === undefined ? '' : String(threshold)}
        read={pieces}
        onRead={(alarmThreshold) => onChange({ alarmThreshold })}
      />
    </>
  )
}

/** Keeps what is being typed; told when it is left or sent with Enter, so that others do not jump meanwhile. */
function Typed(props: {
  label: string
  rule: string
  placeholder: string
  text: string
  read: (text: string) => number | null
  onRead: (value: number) => void
}) {
  const { label, rule, placeholder, text, read, onRead } = props
  const id = useId()
  const [typed, setTyped] = useState(text)
  const isWrong = typed.trim() !== '' && typed !== text && read(typed) === null
  const tell = () => {
    const value = read(typed)
    if (typed !== text && value !== null) onRead(value)
    if (typed.trim() === '') setTyped(text)
  }
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className={styles.typed}>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          placeholder={placeholder}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-rule` : undefined}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={tell}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            tell()
          }}
        />
        {isWrong && (
          <span id={`${id}-rule`} className="fault">
            {rule}
          </span>
        )}
      </span>
    </>
  )
}
