import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { tieSplits } from '@aisle/contract/settlement/split'
import { splitProviders } from '@aisle/contract/settlement/splitStates'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Tag } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import styles from './settlement.module.css'

/** Whether the shares of the filter are what the ledger says, worked out anew; red where they are not. */
export function SplitTie({ address }: { address: ListAddress }) {
  const t = useText('settlement')
  const language = useLanguage()
  const { data } = useEndpoint(tieSplits, askedOf(address.query), { errors: 'silent' })
  if (!data) return null
  const { orders, shares, ledger, isTied, isPart } = data
  const money = (fen: number) => moneyText(fen, language)
  return (
    <section className={styles.tie} aria-label={t('tie')}>
      <Tag tone={isTied ? 'good' : 'bad'} word={t(isTied ? 'tie.yes' : 'tie.no')} />
      <span>
        {t('splitTie.sums', { count: countText(orders), due: money(shares.dueFen), ledger: money(ledger.dueFen) })}
      </span>
      <small className="quiet">{t('splitTie.owed', { fen: money(shares.owedFen) })}</small>
      {isPart && <small className="quiet">{t('tie.part', { count: countText(orders - 1) })}</small>}
    </section>
  )
}

/** Of the filters, those that name shares; their state does not change what was posted. */
function askedOf({ from, to, merchantId, receiverId, provider }: Record<string, string>): CallOf<typeof tieSplits> {
  const known = splitProviders.find((each) => each === provider)
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(merchantId && { merchantId }),
    ...(receiverId && { receiverId }),
    ...(known && { provider: known }),
  }
}
