import { type BalancePosting, listBalancePostings } from '@aisle/contract/funds/balance'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { KeyPager } from '../../shelf/keyPager'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import styles from './funds.module.css'

/** The postings behind a line, newest first; each opens what it came from. */
export function BalancePostings({ asked }: { asked: CallOf<typeof listBalancePostings> }) {
  const t = useText('funds')
  const [cursor, setCursor] = useState<string>()
  const { data, error, refetch } = useEndpoint(
    listBalancePostings,
    { ...asked, ...(cursor && { cursor }) },
    { errors: 'throw' },
  )
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  if (data.items.length === 0) return <p className="quiet">{t('balance.postings.none')}</p>
  return (
    <>
      <ul className={styles.postings}>
        {data.items.map((posting) => (
          <Posting key={posting.id} posting={posting} />
        ))}
      </ul>
      <KeyPager cursor={cursor} next={data.nextCursor} turn={setCursor} />
    </>
  )
}

function Posting({ posting }: { posting: BalancePosting }) {
  const t = useText('funds')
  const trade = useText('trade')
  const { kind, amountFen, postedAt, businessDay, settlementId, method, runId, withdrawalId, withdrawalNo } = posting
  return (
    <li>
      <span>
        <strong>{trade.any(`transfer.${kind}`)}</strong>{' '}
        <small className="quiet">
          {trade('ledger.transfer', { id: posting.id })} · <When at={postedAt} />
        </small>
      </span>
      <Money fen={amountFen} />
      <span className="tags">
        {settlementId !== null && (
          <ScreenLink screen="cwgl/cwjs" search={{ open: String(settlementId) }}>
            {`${businessDay} ${method === null ? '' : trade.any(`method.${method}`)}`}
          </ScreenLink>
        )}
        {runId !== null && (
          <ScreenLink screen="xtgl/rjs" search={{ open: String(runId) }}>
            {t('balance.run')}
          </ScreenLink>
        )}
        {withdrawalId !== null && withdrawalNo !== null && (
          <ScreenLink screen="cfgl/txgl" search={{ open: String(withdrawalId) }}>
            {withdrawalNo}
          </ScreenLink>
        )}
      </span>
    </li>
  )
}
