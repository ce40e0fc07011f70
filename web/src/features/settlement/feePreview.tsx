import { belowMins, feeBases, feeSubjects, previewFeeRule } from '@aisle/contract/settlement/fee'
import { useDeferredValue } from 'react'
import { countText } from '../../admin/fields/number'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find((each) => each === value)

/** Below the terms: what they would have cost. */
export function FeePreview({ values }: { values: Values }) {
  const t = useText('settlement')
  const { merchantId, minFen } = values
  const belowMin = oneOf(belowMins, values.belowMin)
  const subject = oneOf(feeSubjects, values.subject)
  const basis = oneOf(feeBases, values.basis)
  const ratePercent = useDeferredValue(values.ratePercent)
  const terms =
    subject && basis && belowMin && typeof ratePercent === 'number' && ratePercent >= 0 && typeof minFen === 'number'
      ? { subject, basis, ratePercent, minFen, belowMin, ...(typeof merchantId === 'number' ? { merchantId } : {}) }
      : null
  const { data } = useEndpoint(previewFeeRule, terms ?? { subject: 'other', basis: 'day', ratePercent: 0, minFen: 0 }, {
    errors: 'silent',
    enabled: terms !== null,
  })
  if (!terms || !data) return <p className="quiet">{t('preview.empty')}</p>
  const { from, to, orders, merchants, isPart } = data
  if (orders === 0) return <p className="quiet">{t('preview.none')}</p>
  return (
    <div className={styles.feePreview} role="status" aria-label={t('preview.would')}>
      <small>{t('preview.period', { from, to, count: countText(orders) })}</small>
      {isPart && <small>{t('preview.part')}</small>}
      <div className={styles.bookScroll}>
        <table className={styles.bookTable}>
          <thead>
            <tr>
              <th scope="col">{t('field.merchantName')}</th>
              <th scope="col">{t('preview.kept')}</th>
              <th scope="col">{t('preview.charged')}</th>
              <th scope="col">{t('preview.would')}</th>
              <th scope="col">{t('preview.change')}</th>
            </tr>
          </thead>
          <tbody>
            {merchants.map((each) => (
              <Cost key={each.merchantId} name={each.merchantName} cost={each} />
            ))}
          </tbody>
          <tfoot>
            <Cost name={t('preview.all')} cost={data} />
          </tfoot>
        </table>
      </div>
    </div>
  )
}

type Costs = { keptFen: number; chargedFen: number; wouldFen: number }

const Cost = ({ name, cost: { keptFen, chargedFen, wouldFen } }: { name: string; cost: Costs }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>
      <Money fen={keptFen} />
    </td>
    <td>
      <Money fen={chargedFen} />
    </td>
    <td>
      <Money fen={wouldFen} />
    </td>
    <td>
      <Money fen={wouldFen - chargedFen} />
    </td>
  </tr>
)
