import { getRun } from '@aisle/contract/settlement/run'
import { ScreenLink } from '../../admin/fields/ref'
import { Ago } from '../../admin/fields/time'
import { can } from '../../live/session'
import { AccountName, EntryMoney } from '../../ui/books'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import type { OrderDetail } from './orderDrawer'
import styles from './order.module.css'

type Entry = OrderDetail['entries'][number]

/** The entries of each transfer: what is debited is credited. */
export function Ledger({ entries }: { entries: readonly Entry[] }) {
  const t = useText('trade')
  if (entries.length === 0) return <p className="quiet">{t('ledger.empty')}</p>
  return (
    <table className={styles.ledger}>
      <tbody>
        {entries.map((entry, at) => (
          <tr key={`${entry.transferId} ${entry.account}`}>
            <th scope="row">
              <AccountName name={entry.account} />
            </th>
            <td className="quiet">
              {entries[at - 1]?.transferId !== entry.transferId && (
                <>
                  {t.any(`transfer.${entry.kind}`)} · {t('ledger.transfer', { id: entry.transferId })} ·{' '}
                  <Ago at={entry.postedAt} />
                  {entry.line && <BillLine line={entry.line} />}
                </>
              )}
            </td>
            <td className={styles.isNumber}>
              <EntryMoney fen={entry.amountFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same money in the channel's bill: its day opens with what was found in it and what differs. */
function BillLine({ line: { runId, day, channelNo, amountFen } }: { line: NonNullable<Entry['line']> }) {
  const t = useText('trade')
  const words = t('ledger.line', { day })
  return (
    <span className={styles.ledgerLine}>
      {can(getRun.access) ? (
        <ScreenLink screen="xtgl/rjs" search={{ from: day, to: day, open: String(runId) }}>
          {words}
        </ScreenLink>
      ) : (
        words
      )}{' '}
      <code>{channelNo}</code> <Money fen={amountFen} />
    </span>
  )
}
