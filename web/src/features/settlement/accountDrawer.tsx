import { signOf } from '@aisle/contract/kernel/balance'
import { moneyText } from '@aisle/contract/kernel/text'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { FEWEST_DAYS, getAccount, MOST_DAYS } from '@aisle/contract/settlement/books'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { When } from '../../admin/fields/time'
import { dayText } from '../../ui/timeText'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { AccountName, Balance, EntryMoney } from '../../ui/books'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { currentLocale, useLanguage, useText } from '../../ui/text'
import styles from './settlement.module.css'

type Account = OutputOf<typeof getAccount>

/** Why an account holds what it holds: what happened, summed, and each entry with what it came from. */
export function AccountDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const [before, setBefore] = useState<string | undefined>(undefined)
  const [kind, setKind] = useState<string | undefined>(undefined)
  const [days, setDays] = useState(FEWEST_DAYS)
  const result = useEndpoint(getAccount, { id, before, kind, days }, { errors: 'throw' })
  const show = (next: string | undefined) => {
    setBefore(undefined)
    setKind(next)
  }
  return (
    <RowDrawer
      result={result}
      title={({ name }) => <AccountName name={name} />}
      head={({ kind: of, merchantName, balanceFen }) => (
        <div className="tags">
          <strong>
            <Balance kind={of} fen={balanceFen} />
          </strong>
          <span>{merchantName}</span>
        </div>
      )}
    >
      {(account) => (
        <>
          <Section title={t('section.why')} note={t(`balance.${account.side}`)}>
            <Why account={account} shown={kind} show={show} />
            <button
              type="button"
              className="btn"
              onClick={() => setDays(days === FEWEST_DAYS ? MOST_DAYS : FEWEST_DAYS)}
            >
              {days === FEWEST_DAYS ? t('why.year') : t('why.month')}
            </button>
          </Section>
          <Section title={t('section.lines')}>
            <ul className={styles.bookEntries}>
              {account.lines.map((line) => (
                <Line key={line.transferId} line={line} sign={signOf(account.kind)} />
              ))}
            </ul>
            <p className={styles.bookPager}>
              {before && (
                <button type="button" className="btn" onClick={() => setBefore(undefined)}>
                  {t('line.newest')}
                </button>
              )}
              {account.next && (
                <button type="button" className="btn" onClick={() => setBefore(account.next ?? undefined)}>
                  {t('line.more')}
                </button>
              )}
            </p>
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

type WhyProps = { account: Account; shown: string | undefined; show: (kind: string | undefined) => void }

/** Each kind of event is a way to its entries alone; a second time, back to all. */
function Why({ account: { kind: of, from, openingFen, byKind, shownFen }, shown, show }: WhyProps) {
  const t = useText('settlement')
  const trade = useText('trade')
  const sign = signOf(of)
  return (
    <table className={styles.bookTable}>
      <tbody>
        <tr>
          <th scope="row">{t('why.opening', { day: dayText(from, currentLocale()) })}</th>
          <td>
            <Money fen={openingFen * sign} />
          </td>
        </tr>
        {byKind.map(({ kind, entries, amountFen }) => (
          <tr key={kind}>
            <th scope="row">
              <button
                type="button"
                className={styles.trialKind}
                aria-pressed={shown === kind}
                onClick={() => show(shown === kind ? undefined : kind)}
              >
                {t('why.of', { kind: trade.any(`transfer.${kind}`), count: countText(entries) })}
              </button>
            </th>
            <td>
              <Money fen={amountFen * sign} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('field.shownFen')}</th>
          <td>
            <Money fen={shownFen} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

/** More of it and less of it, as the account is read; the other accounts say their side. */
function Line({ line, sign }: { line: Account['lines'][number]; sign: 1 | -1 }) {
  const t = useText('settlement')
  const trade = useText('trade')
  const language = useLanguage()
  const { transferId, kind, orderNo, refundNo, runId, differenceId, channelNo, billRunId, adjusts, others } = line
  return (
    <li>
      <div className={styles.bookEntry}>
        <strong>{trade.any(`transfer.${kind}`)}</strong>
        <Money fen={line.amountFen * sign} />
        {line.balanceFen !== null && (
          <small>{t('line.after', { amount: moneyText(line.balanceFen * sign, language) })}</small>
        )}
        <small>
          <When at={line.postedAt} />
        </small>
      </div>
      <div className={styles.bookFrom}>
        {orderNo && (
          <ScreenLink screen="jygl/ddgl" search={{ orderNo }}>
            {orderNo}
          </ScreenLink>
        )}
        {refundNo && (
          <ScreenLink screen="jygl/tkgl" search={{ refundNo }}>
            {refundNo}
          </ScreenLink>
        )}
        {kind === 'settlement' && (
          <ScreenLink screen="xtgl/rjs" search={{ part: 'settlements', from: line.businessDay, to: line.businessDay }}>
            {t('line.settlement', { day: line.businessDay })}
          </ScreenLink>
        )}
        {runId !== null && (
          <ScreenLink screen="xtgl/rjs" search={{ open: String(runId) }}>
            {t('line.run', { id: runId })}
          </ScreenLink>
        )}
        {differenceId !== null && (
          <ScreenLink screen="xtgl/rjs" search={{ part: 'differences', open: String(differenceId) }}>
            {t('line.difference', { id: differenceId })}
          </ScreenLink>
        )}
        {channelNo && billRunId !== null && (
          <ScreenLink screen="xtgl/rjs" search={{ open: String(billRunId) }}>
            {t('line.channel', { number: channelNo })}
          </ScreenLink>
        )}
        {adjusts && <Tag tone="warn" word={t('line.adjusts', { day: adjusts })} />}
      </div>
      <small className="quiet">
        {others.slice(0, 4).map(({ account, amountFen }) => (
          <span key={`${transferId} ${account}`}>
            <AccountName name={account} /> <EntryMoney fen={amountFen} />{' '}
          </span>
        ))}
      </small>
    </li>
  )
}
