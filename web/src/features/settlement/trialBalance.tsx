import { getTrialBalance } from '@aisle/contract/settlement/books'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './settlement.module.css'

/** Debits and credits by kind of account; each kind is a filter of the accounts below. */
export function TrialBalance({ address }: { address: ListAddress }) {
  const t = useText('settlement')
  const { merchantId } = address.query
  const { data } = useEndpoint(getTrialBalance, merchantId ? { merchantId } : {}, { errors: 'silent' })
  if (!data) return null
  const { kinds, debitFen, creditFen, wrongBalances, closedUntil, isWhole } = data
  const isEven = debitFen === creditFen
  return (
    <section className={styles.trial} aria-label={t('trial')}>
      <div className={styles.trialHead}>
        <h2>{t('trial')}</h2>
        {isWhole && <Tag tone={isEven ? 'good' : 'bad'} word={t(isEven ? 'trial.balanced' : 'trial.unbalanced')} />}
        {!isWhole && <small className="quiet">{t('trial.part')}</small>}
        {wrongBalances > 0 && <Tag tone="bad" word={t('trial.wrong', { count: countText(wrongBalances) })} />}
        {closedUntil && <small className="quiet">{t('trial.closed', { day: closedUntil })}</small>}
      </div>
      <div className={styles.bookScroll}>
        <table className={styles.bookTable}>
          <thead>
            <tr>
              <th scope="col">{t('trial.kind')}</th>
              <th scope="col">{t('trial.accounts')}</th>
              <th scope="col">{t('trial.debit')}</th>
              <th scope="col">{t('trial.credit')}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, accounts, ...sides }) => (
              <tr key={kind}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.trialKind}
                    data-hint={t(`accountKind.${kind}.help`)}
                    onClick={() => address.show({ kind })}
                  >
                    {t(`accountKind.${kind}`)}
                  </button>
                </th>
                <td>{countText(accounts)}</td>
                <td>{sides.debitFen !== 0 && <Money fen={sides.debitFen} />}</td>
                <td>{sides.creditFen !== 0 && <Money fen={sides.creditFen} />}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('trial.sum')}</th>
              <td />
              <td>
                <Money fen={debitFen} />
              </td>
              <td>
                <Money fen={creditFen} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}
