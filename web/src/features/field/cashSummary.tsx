import { summariseCash } from '@aisle/contract/field/cashCollection'
import { moneyText } from '@aisle/contract/kernel/text'
import { ScreenLink } from '../../admin/fields/ref'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useLanguage, useText } from '../../ui/text'

/** Where the cash is; what waits is a filter. */
export function CashSummary({ address }: { address: ListAddress }) {
  const t = useText('field')
  const language = useLanguage()
  const { data } = useEndpoint(summariseCash, {}, { errors: 'silent' })
  const figures = [
    { name: 'taken', tone: 'warn', word: t('cash.toCount'), count: data?.taken, query: { state: 'taken' } },
    { name: 'counted', tone: 'bad', word: t('cash.toDecide'), count: data?.counted, query: { state: 'counted' } },
  ] as const
  return (
    <>
      <Tally label={t('cash.summary')} address={address} figures={figures} />
      {data && (
        <p className="quiet">
          {t('cash.inMachines')} <Money fen={data.inMachinesFen} /> · {t('cash.onTheWay')}{' '}
          <Money fen={data.onTheWayFen} /> ·{' '}
          <ScreenLink screen="cfgl/xjqd" search={{ banked: 'no' }}>
            {`${t('cash.unbanked')} ${moneyText(data.unbankedFen, language)}`}
          </ScreenLink>
        </p>
      )}
    </>
  )
}
