import { Ago } from '../admin/fields/time'
import { AccountName, EntryMoney } from '../ui/books'
import { useText } from '../ui/text'
import styles from './entries.module.css'

type Entry = { transferId: number; kind: string; account: string; amountFen: number; postedAt: string }

/** Entries of the ledger that a thing has caused, each with its transfer. */
export function Entries({ entries }: { entries: readonly Entry[] }) {
  const trade = useText('trade')
  return (
    <table className={styles.entries}>
      <tbody>
        {entries.map(({ transferId, kind, account, amountFen, postedAt }) => (
          <tr key={`${transferId} ${account}`}>
            <th scope="row">
              <AccountName name={account} />
            </th>
            <td className="quiet">
              {trade.any(`transfer.${kind}`)} · {trade('ledger.transfer', { id: transferId })} · <Ago at={postedAt} />
            </td>
            <td className={styles.isNumber}>
              <EntryMoney fen={amountFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
