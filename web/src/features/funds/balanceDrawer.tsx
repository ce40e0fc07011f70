import { type BalanceLine, getBalance } from '@aisle/contract/funds/balance'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { moneyText } from '@aisle/contract/kernel/text'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { dayText } from '../../ui/timeText'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { DaysInput } from '../../ui/control/filters'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { currentLocale, useLanguage, useText } from '../../ui/text'
import { BalancePostings } from './balancePostings'
import styles from './funds.module.css'

type Explained = OutputOf<typeof getBalance>
type Days = { from?: string; to?: string }

/** Why a balance is what it is: in a sentence, as a sum, and posting by posting. */
export function BalanceDrawer({ id }: DrawerRow) {
  const t = useText('funds')
  const language = useLanguage()
  const [days, setDays] = useState<Days>({})
  const [line, setLine] = useState<BalanceLine>()
  const result = useEndpoint(getBalance, { id, ...days }, { errors: 'throw', placeholderData: keepPreviousData })
  return (
    <RowDrawer
      result={result}
      title={({ merchantName }) => merchantName}
      head={({ availableFen }) => (
        <div className="tags">
          <strong>
            <Money fen={availableFen} />
          </strong>
          <span>{t('field.availableFen')}</span>
        </div>
      )}
    >
      {(balance) => (
        <>
          <Where balance={balance} />
          <Section title={t('balance.why', { amount: moneyText(balance.closingFen, language) })}>
            <DaysInput
              label={t('field.period')}
              labels={{ from: t('balance.from'), to: t('balance.to') }}
              value={{ from: balance.from, to: balance.to }}
              onChange={(picked) => setDays(daysWith(balance, picked))}
            />
            <Sentence balance={balance} />
            <Sum balance={balance} shown={line} show={setLine} />
          </Section>
          <Section title={line ? t(`balanceLine.${line}`) : t('balance.postings')}>
            <BalancePostings
              key={`${balance.from} ${balance.to} ${line}`}
              asked={{ merchantId: id, from: balance.from, to: balance.to, ...(line && { line }) }}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** A day that is put behind the other takes it along; one that is emptied is as shipped again. */
function daysWith({ from, to }: Explained, picked: Partial<{ from: string; to: string }>): Days {
  if (picked.from === '' || picked.to === '') return {}
  const days = { from, to, ...picked }
  if (days.from <= days.to) return days
  return picked.from === undefined ? { from: days.to, to: days.to } : { from: days.from, to: days.from }
}

/** Where a merchant's money lies, each part with what leads to it. */
function Where({ balance }: { balance: Explained }) {
  const t = useText('funds')
  const { id, payer, pendingFen, inPayoutFen, paidOutFen, elsewhereFen, owedFen } = balance
  const money = (fen: number) => fen > 0 && <Money fen={fen} />
  const toWithdrawals = (state: 'inTransit' | 'paid', fen: number) =>
    fen > 0 && (
      <>
        <Money fen={fen} />{' '}
        <ScreenLink screen="cfgl/txgl" search={{ merchantId: String(id), state }}>
          {t('balance.withdrawals')}
        </ScreenLink>
      </>
    )
  return (
    <Section title={t('balance.where')}>
      <Facts
        facts={[
          { label: t('field.availableFen'), value: <Money fen={balance.availableFen} /> },
          { label: t('field.pendingFen'), value: money(pendingFen) },
          { label: t('field.inPayoutFen'), value: toWithdrawals('inTransit', inPayoutFen) },
          { label: t('field.paidOutFen'), value: toWithdrawals('paid', paidOutFen) },
          { label: t('field.elsewhereFen'), value: money(elsewhereFen) },
          { label: t('field.owedFen'), value: money(owedFen) },
        ]}
      />
      <ul className={styles.says}>
        <li>
          {payer ? t(`funds.holder.${payer.mode}`, { holder: payer.holder, bank: payer.bank }) : t('funds.holder.none')}
        </li>
        {elsewhereFen > 0 && <li>{t('balance.elsewhere')}</li>}
        {owedFen > 0 && <li>{t('balance.owed')}</li>}
      </ul>
    </Section>
  )
}

function Sentence({ balance: { from, to, openingFen, closingFen, lines } }: { balance: Explained }) {
  const t = useText('funds')
  const language = useLanguage()
  const money = (fen: number) => moneyText(fen, language)
  const told = {
    from: dayText(from, currentLocale()),
    to: dayText(to, currentLocale()),
    opening: money(openingFen),
    came: money(sumOf(lines, 1)),
    went: money(sumOf(lines, -1)),
    closing: money(closingFen),
  }
  return <p className={styles.sentence}>{t('balance.sentence', told)}</p>
}

const sumOf = (lines: Explained['lines'], side: 1 | -1) =>
  lines.reduce((fen, { amountFen }) => fen + Math.max(0, side * amountFen), 0)

type SumProps = {
  balance: Explained
  shown: BalanceLine | undefined
  show: (line: BalanceLine | undefined) => void
}

/** Each line is a way to its postings alone; a second time, back to all. */
function Sum({ balance: { from, to, openingFen, lines, closingFen, unexplainedFen }, shown, show }: SumProps) {
  const t = useText('funds')
  return (
    <table className={styles.sum}>
      <tbody>
        <tr>
          <th scope="row">{t('balance.opening', { day: dayText(from, currentLocale()) })}</th>
          <td>
            <Money fen={openingFen} />
          </td>
        </tr>
        {lines.map(({ line, postings, amountFen }) => (
          <tr key={line}>
            <th scope="row">
              <button
                type="button"
                className={styles.sumLine}
                data-hint={t(`balanceLine.${line}.help`)}
                aria-pressed={shown === line}
                onClick={() => show(shown === line ? undefined : line)}
              >
                {t(`balanceLine.${line}`)}
              </button>{' '}
              <small className="quiet">{t('balance.count', { count: countText(postings) })}</small>
            </th>
            <td>
              <Money fen={amountFen} />
            </td>
          </tr>
        ))}
        {unexplainedFen !== 0 && (
          <tr className={styles.isWrong}>
            <th scope="row">{t('balance.unexplained')}</th>
            <td>
              <Money fen={unexplainedFen} />
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('balance.closing', { day: dayText(to, currentLocale()) })}</th>
          <td>
            <Money fen={closingFen} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
