import type { ChannelExchange } from '@aisle/contract/payment/record'
import { useText } from '../ui/text'
import { Ago } from '../admin/fields/time'
import styles from './exchanges.module.css'

type Exchange = Omit<ChannelExchange, 'id' | 'address' | 'outcome'> & { address?: string; outcome: string }

/** What was said to a provider and by it, word for word; secrets were masked when it was kept. Newest first. */
export function Exchanges({ exchanges, empty }: { exchanges: readonly Exchange[]; empty: string }) {
  const t = useText('payment')
  if (exchanges.length === 0) return <p className="quiet">{empty}</p>
  return (
    <ul className={styles.exchanges}>
      {exchanges.map(({ at, kind, outcome, status, durationMs, address, request, answer }) => (
        <li key={`${at} ${kind}`}>
          <details>
            <summary>
              {t.any(`exchangeKind.${kind}`)} ·{' '}
              {[t.any(`exchangeOutcome.${outcome}`), status ?? '–', `${durationMs} ms`].join(' · ')} · <Ago at={at} />
            </summary>
            {address && <pre>{address}</pre>}
            {request && <pre>{request}</pre>}
            {answer && <pre>{answer}</pre>}
          </details>
        </li>
      ))}
    </ul>
  )
}
