import { tieSettlements } from '@aisle/contract/settlement/batch'
import { settledMethods } from '@aisle/contract/settlement/books'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Tag } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import styles from './settlement.module.css'

type Asked = CallOf<typeof tieSettlements>

/** Whether what is listed is what the ledger says, worked out anew for the filter; red where it is not. */
export function BatchTie({ address }: { address: ListAddress }) {
  const t = useText('settlement')
  const language = useLanguage()
  const { data } = useEndpoint(tieSettlements, askedOf(address.query), { errors: 'silent' })
  if (!data) return null
  const { batches, settled, ledger, items, isTied, isPart } = data
  const money = (fen: number) => moneyText(fen, language)
  return (
    <section className={styles.tie} aria-label={t('tie')}>
      <Tag tone={isTied ? 'good' : 'bad'} word={t(isTied ? 'tie.yes' : 'tie.no')} />
      <span>
        {t('tie.sums', { count: countText(batches), net: money(settled.netFen), ledger: money(ledger.netFen) })}
      </span>
      {items && items.feeFen !== null && (
        <small className="quiet">
          {t('tie.items', {
            count: countText(items.count),
            net: money(items.keptFen - items.feeFen),
          })}
        </small>
      )}
      {items?.feeFen === null && <small className="quiet">{t('tie.feesOfDay')}</small>}
      {items === null && <small className="quiet">{t('tie.many')}</small>}
      {isPart && <small className="quiet">{t('tie.part', { count: countText(batches - 1) })}</small>}
    </section>
  )
}

/** Of the filters, those that name settlements; state and dispute do not change what was posted. */
function askedOf({ from, to, method, merchantId }: Record<string, string>): Asked {
  const known = settledMethods.find((each) => each === method)
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(known && { method: known }),
    ...(merchantId && { merchantId }),
  }
}
