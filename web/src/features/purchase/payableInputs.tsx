import { listPayables, type Payable } from '@aisle/contract/purchase/payable'
import { Day } from '../../admin/fields/time'
import type { InputProps } from '../../admin/form/input'
import { groupInput } from '../../admin/form/inputs'
import { useEndpoint } from '../../live/query'
import { LineInput } from '../../shelf/lineInputs'
import styles from '../../shelf/lines.module.css'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

/** Of the supplier that was chosen: what may go on an invoice, or what is left to pay. */
function useOpen({ supplierId }: InputProps['values'], left: 'pay' | 'invoice'): readonly Payable[] | null {
  const isChosen = typeof supplierId === 'number'
  const asked = { supplierId: Number(supplierId), left, pageSize: 100 }
  const { data } = useEndpoint(listPayables, asked, { errors: 'silent', enabled: isChosen })
  return isChosen ? (data?.items ?? []) : null
}

const noOf = ({ receiptNo, returnNo, invoiceNumber }: Payable) => receiptNo ?? returnNo ?? invoiceNumber

function Named({ payable }: { payable: Payable }) {
  const t = useText('purchase')
  return (
    <>
      {noOf(payable)} · {t(`payableKind.${payable.kind}`)}{' '}
      <small className="quiet">
        <Day on={payable.payBy} />
      </small>
    </>
  )
}

function Nothing({ isChosen }: { isChosen: boolean }) {
  const t = useText('purchase')
  return <p className="quiet">{t(isChosen ? 'payable.none' : 'order.firstSupplier')}</p>
}

/** Which receipts an invoice is for. */
export const OpenPayables = groupInput(function OpenPayables({ id, value, values, onChange }: InputProps) {
  const open = useOpen(values, 'invoice')
  const chosen = Array.isArray(value) ? value.map(Number) : []
  if (!open || open.length === 0) return <Nothing isChosen={open !== null} />
  return (
    <div id={id} className={styles.rows}>
      {open.map((payable) => (
        <label key={payable.id}>
          <input
            type="checkbox"
            checked={chosen.includes(payable.id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, payable.id] : chosen.filter((each) => each !== payable.id))
            }
          />{' '}
          <Named payable={payable} /> <Money fen={payable.amountFen} />
        </label>
      ))}
    </div>
  )
})

type Part = { payableId: number; amountFen: unknown }

/** How much is paid of each; what is left empty is not paid now. */
export const PaidParts = groupInput(function PaidParts({ id, value, values, onChange }: InputProps) {
  const t = useText('purchase')
  const open = useOpen(values, 'pay')
  const parts = Array.isArray(value) ? (value as Part[]) : []
  if (!open || open.length === 0) return <Nothing isChosen={open !== null} />
  const put = (payableId: number, amountFen: unknown) => {
    const others = parts.filter((part) => part.payableId !== payableId)
    onChange(amountFen === null || amountFen === '' ? others : [...others, { payableId, amountFen }])
  }
  return (
    <div id={id} className={styles.rows}>
      {open.map((payable) => {
        const leftFen = payable.openFen - payable.waitingFen
        return (
          <div key={payable.id} className={styles.row}>
            <span className={styles.what}>
              <Named payable={payable} />
            </span>
            <LineInput
              kind="money"
              label={t('payable.payNow')}
              name={`${t('payable.payNow')} ${noOf(payable) ?? payable.id}`}
              value={parts.find((part) => part.payableId === payable.id)?.amountFen}
              onChange={(amountFen) => put(payable.id, amountFen)}
            />
            <button type="button" className="btn" onClick={() => put(payable.id, leftFen)}>
              {t('payable.all')} <Money fen={leftFen} />
            </button>
          </div>
        )
      })}
    </div>
  )
})
