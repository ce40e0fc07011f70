import { readBalance } from '@aisle/contract/kernel/balance'
import type { Movement } from '@aisle/contract/kernel/money'
import { Money } from './money'
import { useText } from './text'
import styles from './books.module.css'

/** @param name kind, and behind a colon the channel, machine or card that the account is kept for */
export function AccountName({ name }: { name: string }) {
  const t = useText('settlement')
  const [kind = '', key] = name.split(':')
  const word = t.any(`accountKind.${kind}`)
  if (!key) return word
  return `${word} · ${t.has(`accountKey.${key}`) ? t.any(`accountKey.${key}`) : key}`
}

/** An entry says its side in a word: a merchant's credit is no minus. */
export function EntryMoney({ fen }: { fen: number }) {
  const t = useText('settlement')
  return (
    <span data-part="money">
      <small className={styles.entrySide}>{t(fen < 0 ? 'entry.credit' : 'entry.debit')}</small>
      <Money fen={Math.abs(fen)} />
    </span>
  )
}

/** @param kind of the account, with or without what it is kept for */
export function Balance({ kind, fen }: { kind: string; fen: number }) {
  const t = useText('settlement')
  const { shownFen, side } = readBalance(kind.split(':')[0] ?? '', fen)
  return (
    <>
      <Money fen={shownFen} /> <small className="quiet">{t(`balance.${side}`)}</small>
    </>
  )
}

/** What will be posted, before it is: every account, what is moved on it, and what it holds then. */
export function Moves({ moves, note }: { moves: readonly Movement[]; note?: string | undefined }) {
  const t = useText('settlement')
  return (
    <section className={styles.moves} role="status" aria-label={t('moves')}>
      <strong>{t('moves')}</strong>
      {moves.length === 0 && <p className="quiet">{t('moves.none')}</p>}
      {moves.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('moves.account')}</th>
              <th scope="col" className={styles.isNumber}>
                {t('moves.amount')}
              </th>
              <th scope="col" className={styles.isNumber}>
                {t('moves.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {moves.map(({ account, merchantName, amountFen, afterFen }) => (
              <tr key={`${account} ${merchantName}`}>
                <th scope="row">
                  <AccountName name={account} />
                  <small>{merchantName}</small>
                </th>
                <td className={styles.isNumber}>
                  <EntryMoney fen={amountFen} />
                </td>
                <td className={styles.isNumber}>
                  <Balance kind={account} fen={afterFen} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {note && <small>{note}</small>}
    </section>
  )
}
