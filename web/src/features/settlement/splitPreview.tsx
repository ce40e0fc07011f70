import { previewSplitRule } from '@aisle/contract/settlement/splitRule'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { useDeferredValue } from 'react'
import { countText } from '../../admin/fields/number'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'
import { sharesIn } from './splitShares'
import styles from './settlement.module.css'

/** Each receiver with its terms, as the call has them; null while one has none. */
function linesOf(value: unknown): string | null {
  const shares = sharesIn(value).map(({ receiverId, ratePercent, fixedFen }) => {
    if (ratePercent !== null) return `${receiverId}:b${Math.round(ratePercent * 100)}`
    return fixedFen === null ? null : `${receiverId}:f${fixedFen}`
  })
  return shares.length > 0 && !shares.includes(null) ? shares.join(',') : null
}

/** Below the terms: what they would have given in the last month, by the function that shares. */
export function SplitPreview({ values }: { values: Values }) {
  const t = useText('settlement')
  const language = useLanguage()
  const { merchantId, groupId, machineId } = values
  const lines = useDeferredValue(linesOf(values.lines))
  const asked =
    typeof merchantId === 'number' && lines
      ? {
          merchantId,
          lines,
          ...(typeof groupId === 'number' ? { groupId } : {}),
          ...(typeof machineId === 'number' ? { machineId } : {}),
        }
      : null
  const { data } = useEndpoint(previewSplitRule, asked ?? { merchantId: 1, lines: '1:b1' }, {
    errors: 'silent',
    enabled: asked !== null,
  })
  if (!asked || !data) return <p className="quiet">{t('splitPreview.empty')}</p>
  const money = (fen: number) => moneyText(fen, language)
  const { from, to, orders, paidFen, baseFen, cut, cutFen, refundsAfter, refundedAfterFen } = data
  return (
    <div className={styles.feePreview} role="status" aria-label={t('splitPreview')}>
      {data.overCap && (
        <strong className={styles.bookGap}>{t('splitPreview.overCap', { cap: data.capPercent })}</strong>
      )}
      {orders === 0 && <small>{t('splitPreview.none')}</small>}
      {orders > 0 && (
        <small>
          {t('splitPreview.period', { from, to, count: countText(orders), paid: money(paidFen), base: money(baseFen) })}
        </small>
      )}
      {cut > 0 && <small>{t('splitPreview.cut', { count: countText(cut), fen: money(cutFen) })}</small>}
      {refundsAfter > 0 && (
        <small>{t('splitPreview.refunds', { count: countText(refundsAfter), fen: money(refundedAfterFen) })}</small>
      )}
      {data.isPart && <small>{t('splitPreview.part')}</small>}
      <Receivers of={data} />
    </div>
  )
}

type Previewed = Pick<OutputOf<typeof previewSplitRule>, 'receivers' | 'sharedFen'>

function Receivers({ of }: { of: Previewed }) {
  const t = useText('settlement')
  return (
    <div className={styles.bookScroll}>
      <table className={styles.bookTable}>
        <thead>
          <tr>
            <th scope="col">{t('field.receiverName')}</th>
            <th scope="col">{t('splitPreview.orders')}</th>
            <th scope="col">{t('splitPreview.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {of.receivers.map((each) => (
            <tr key={each.receiverId}>
              <th scope="row">{`${each.name} · ${t(`method.${each.provider}`)}`}</th>
              <td>{countText(each.orders)}</td>
              <td>
                <Money fen={each.amountFen} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('splitPreview.all')}</th>
            <td />
            <td>
              <Money fen={of.sharedFen} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
