import { checkDigitOf, isBarcode } from '@aisle/contract/catalog/barcode'
import { useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { Icon } from '../../ui/icons'
import { type Text, useText } from '../../ui/text'
import styles from './barcodes.module.css'

type Row = { code: string; packUnits: number | string }
const blank: Row = { code: '', packUnits: 1 }
const MOST = 20

const isBlank = ({ code }: Row) => code.trim() === ''
const textOf = (rows: readonly Row[]) => JSON.stringify(rows.filter((row) => !isBlank(row)))

/** What a scanner reads on the piece and on packs of it; a wrong digit is said while it is typed. */
export const BarcodesInput = groupInput(function BarcodesInput(props: InputProps) {
  const { value, onChange, isLocked, onBlur } = props
  const t = useText('catalog')
  const told = (Array.isArray(value) ? value : []) as Row[]
  const [typed, setTyped] = useState<readonly Row[]>(told)
  // What somebody else saved stands there anew; blank rows are only here.
  const own = textOf(typed) === textOf(told) ? typed : told
  const rows = own.length === 0 ? [blank] : own
  const put = (next: readonly Row[]) => {
    setTyped(next)
    onChange(next.filter((row) => !isBlank(row)).map((row) => ({ ...row, code: row.code.trim() })))
  }
  const change = (at: number, part: Partial<Row>) =>
    put(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div id={props.id} className={styles.rows} onBlur={onBlur}>
      {rows.map((row, at) => (
        <BarcodeRow
          key={at}
          {...{ row, at, isLocked, t }}
          onChange={(part) => change(at, part)}
          onRemove={rows.length > 1 ? () => put(rows.filter((_, index) => index !== at)) : undefined}
        />
      ))}
      {rows.length < MOST && !isLocked && (
        <button type="button" className="btn-plain" onClick={() => setTyped([...rows, blank])}>
          {t('barcode.add')}
        </button>
      )}
    </div>
  )
})

function BarcodeRow(props: {
  row: Row
  at: number
  isLocked: boolean
  t: Text<'catalog'>
  onChange: (part: Partial<Row>) => void
  onRemove: (() => void) | undefined
}) {
  const { row, at, isLocked, t, onChange, onRemove } = props
  const [isLeft, setLeft] = useState(false)
  const fault = faultOf(row.code.trim(), isLeft)
  const note = `barcode-${at}-note`
  return (
    <div className={styles.row}>
      <input
        type="text"
        inputMode="numeric"
        className={`input-code ${styles.code}`}
        aria-label={t('barcode.nth', { n: at + 1 })}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault ? note : undefined}
        maxLength={14}
        autoComplete="off"
        disabled={isLocked}
        value={row.code}
        onChange={({ target }) => onChange({ code: target.value })}
        onBlur={() => setLeft(true)}
      />
      <label className={styles.pack}>
        <span aria-hidden="true">×</span>
        <input
          type="text"
          inputMode="numeric"
          aria-label={`${t('field.packUnits')} ${at + 1}`}
          disabled={isLocked}
          value={row.packUnits}
          onChange={({ target }) => onChange({ packUnits: numberIn(target.value) })}
        />
      </label>
      {onRemove && !isLocked && (
        <button type="button" className="icon-btn" aria-label={t('barcode.remove', { n: at + 1 })} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
      {fault && (
        <small id={note} className={`fault ${styles.note}`}>
          {t(fault.key, { digit: fault.digit })}
        </small>
      )}
    </div>
  )
}

const numberIn = (text: string): number | string => (/^\d{1,5}$/.test(text) ? Number(text) : text)

/** A code of thirteen digits is whole before it is left; a shorter one may go on. */
function faultOf(code: string, isLeft: boolean) {
  if (code === '' || isBarcode(code) || (!isLeft && code.length < 13)) return null
  const digit = checkDigitOf(code)
  return digit === null
    ? { key: 'barcode.length' as const, digit: '' }
    : { key: 'barcode.digit' as const, digit: String(digit) }
}
