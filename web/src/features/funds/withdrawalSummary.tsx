import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getFunds, summariseWithdrawals, tallied } from '@aisle/contract/funds/withdrawal'
import { moneyText } from '@aisle/contract/kernel/text'
import { percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import type { Tone } from '../../ui/tag'
import { useLanguage, useText } from '../../ui/text'
import styles from './funds.module.css'

const tones: Record<(typeof tallied)[number], Tone> = {
  waiting: 'warn',
  approved: 'idle',
  paying: 'idle',
  unknown: 'warn',
  failed: 'bad',
  returned: 'bad',
}

/** What the merchant has and may have, and where it lies; below it what waits. */
export function WithdrawalSummary({ address }: { address: ListAddress }) {
  const t = useText('funds')
  const { data } = useEndpoint(summariseWithdrawals, {}, { errors: 'silent' })
  const { merchantId } = address.query
  const funds = useEndpoint(getFunds, merchantId ? { merchantId } : {}, { errors: 'silent' })
  return (
    <>
      {funds.data && <Funds funds={funds.data} />}
      <Tally
        label={t('summary')}
        address={address}
        figures={tallied.map((state) => ({
          name: state,
          tone: tones[state],
          word: t(`summary.${state}`),
          count: data?.[state].count,
          fen: data?.[state].fen,
          query: { state },
        }))}
      />
    </>
  )
}

type FundsOf = OutputOf<typeof getFunds>

function Funds({ funds }: { funds: FundsOf }) {
  const t = useText('funds')
  const language = useLanguage()
  const { payer, account, window, fee, elsewhereFen, merchantName: merchant } = funds
  const money = (fen: number) => moneyText(fen, language)
  const feeText =
    fee.ratePercent === 0
      ? t('funds.fee.none')
      : t(`funds.fee.${fee.belowMin}`, { rate: percentText(fee.ratePercent), least: money(fee.minFen) })
  return (
    <section className={styles.funds} aria-label={t('funds', { merchant })}>
      <h2>{t('funds', { merchant })}</h2>
      <Figures
        facts={[
          { label: t('funds.withdrawable'), value: <Money fen={funds.withdrawableFen} /> },
          { label: t('funds.available'), value: <Money fen={funds.availableFen} /> },
          { label: t('funds.inTransit'), value: <Money fen={funds.inTransitFen} /> },
          { label: t('funds.pending'), value: <Money fen={funds.pendingFen} /> },
          { label: t('funds.fee'), value: feeText },
        ]}
      />
      <ul className={styles.says}>
        <li>
          {payer ? t(`funds.holder.${payer.mode}`, { holder: payer.holder, bank: payer.bank }) : t('funds.holder.none')}
        </li>
        {payer && elsewhereFen > 0 && <li>{t('funds.elsewhere', { amount: money(elsewhereFen) })}</li>}
        {payer && (
          <li>
            {account ? t('funds.account', account) : t('funds.account.none')}{' '}
            {!account && (
              <ScreenLink screen="shgl/shzhxx" search={{}}>
                {t('funds.account.go')}
              </ScreenLink>
            )}
          </li>
        )}
        {payer && (
          <li>{t('funds.window', { from: window.from, to: window.to, zone: window.timeZone, day: funds.dueOn })}</li>
        )}
      </ul>
    </section>
  )
}
