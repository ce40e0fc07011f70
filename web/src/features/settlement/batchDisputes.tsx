import { disputeFields, listDisputes } from '@aisle/contract/settlement/batch'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

const MOST = 50

/** Orders of a settlement that its merchant disputes; each opens with its answer. */
export function BatchDisputes({ id }: { id: number }) {
  const t = useText('settlement')
  const { data } = useEndpoint(listDisputes, { settlementId: id, pageSize: MOST }, { errors: 'throw' })
  if (!data) return <div className="bone" />
  if (data.items.length === 0) return <p className="quiet">{t('batch.disputed.none')}</p>
  return (
    <ul className={styles.bookLines}>
      {data.items.map(({ id: disputeId, orderNo, state, amountFen, reason, answer }) => (
        <li key={disputeId}>
          <ScreenLink screen="cwgl/cwjs" search={{ part: 'disputes', open: String(disputeId) }}>
            {orderNo}
          </ScreenLink>
          <StateCell value={state} field={disputeFields.state} t={t} />
          <Money fen={amountFen} />
          <span>{reason}</span>
          {answer && <small>{answer}</small>}
        </li>
      ))}
    </ul>
  )
}
