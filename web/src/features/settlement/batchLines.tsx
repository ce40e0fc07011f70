import { listSettledItems, type SettledItem } from '@aisle/contract/settlement/batch'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { useEndpoint } from '../../live/query'
import { KeyPager } from '../../shelf/keyPager'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

/** Orders and refunds of a settlement, each with what it bears of the fees. */
export function BatchLines({ id }: { id: number }) {
  const t = useText('settlement')
  const [cursor, setCursor] = useState<string>()
  const asked = { settlementId: id, ...(cursor && { cursor }) }
  const { data, error, refetch } = useEndpoint(listSettledItems, asked, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  return (
    <>
      <div className={styles.bookScroll}>
        <table className={styles.bookTable}>
          <thead>
            <tr>
              <th scope="col">{t('field.orderNo')}</th>
              <th scope="col">{t('batch.kept')}</th>
              <th scope="col">{t('batch.fees')}</th>
              <th scope="col">{t('field.netFen')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => (
              <Line key={item.id} item={item} />
            ))}
          </tbody>
        </table>
      </div>
      <KeyPager cursor={cursor} next={data.nextCursor} turn={setCursor} />
    </>
  )
}

function Line({ item }: { item: SettledItem }) {
  const t = useText('settlement')
  const { orderNo, refundNo, grossFen, refundFen, channelFeeFen, functionFeeFen, taxFen, splitFen, netFen } = item
  const isKnown = channelFeeFen !== null && functionFeeFen !== null && taxFen !== null
  return (
    <tr>
      <th scope="row">
        <ScreenLink screen="cwgl/jyjs" search={{ orderNo }}>
          {orderNo}
        </ScreenLink>{' '}
        {refundNo && (
          <ScreenLink screen="jygl/tkgl" search={{ refundNo }}>
            {`${t('batch.refund')} ${refundNo}`}
          </ScreenLink>
        )}
      </th>
      <td>
        <Money fen={grossFen - refundFen} />
      </td>
      <td>{isKnown ? <Money fen={channelFeeFen + functionFeeFen + taxFen + splitFen} /> : t('batch.ofDay')}</td>
      <td>{netFen === null ? '–' : <Money fen={netFen} />}</td>
    </tr>
  )
}
