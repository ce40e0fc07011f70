import { use, useState } from 'react'
import { BatchRowsContext } from '../../admin/batch'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { fenOf, yuanText } from '../../ui/amount'
import styles from './library.module.css'

type Line = { id: number; costFen?: number; priceFen?: number }
const columns = ['costFen', 'priceFen'] as const

/** Each ticked item with prices of its own; what is left empty costs what stands above. */
export const LinePrices = groupInput(function LinePrices({ value, values, onChange, t }: InputProps) {
  const rows = use(BatchRowsContext)
  const lines = Array.isArray(value) ? (value as Line[]) : []
  const set = (id: number, column: (typeof columns)[number], fen: number | null) => {
    const { [column]: _, ...kept } = lines.find((line) => line.id === id) ?? { id }
    const next = fen === null ? kept : { ...kept, [column]: fen }
    const others = lines.filter((line) => line.id !== id)
    onChange(Object.keys(next).length > 1 ? [...others, next] : others)
  }
  return (
    <table className={styles.prices}>
      <thead>
        <tr>
          <th>{t.any('field.name')}</th>
          {columns.map((column) => (
            <th key={column}>{t.any(`field.${column}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th>{nameOf(row)}</th>
            {columns.map((column) => (
              <td key={column}>
                <OwnPrice
                  label={`${nameOf(row)} ${t.any(`field.${column}`)}`}
                  usual={values[column]}
                  onType={(fen) => set(Number(row.id), column, fen)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
})

const nameOf = (row: object): string => ('name' in row ? String(row.name) : '')

function OwnPrice(props: { label: string; usual: unknown; onType: (fen: number | null) => void }) {
  const { label, usual, onType } = props
  const [typed, setTyped] = useState('')
  const isWrong = typed.trim() !== '' && fenOf(typed) === null
  return (
    <input
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      placeholder={typeof usual === 'number' ? yuanText(usual) : undefined}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        // What is no amount is refused by the call, rather than taken for the usual price.
        onType(target.value.trim() === '' ? null : (fenOf(target.value) ?? Number.NaN))
      }}
    />
  )
}
