import type { StatisticsRow } from '@aisle/contract/wallboard/board'
import { type CSSProperties, memo, useState } from 'react'
import { methodColours } from '../../../ui/chart/methodColours'
import { useLanguage, useText } from '../../../ui/text'
import { type Metric, shareOf } from './figures.rules'
import { amountParts, countText, exactAmountText, percentText, roundAmountText } from '../format'
import { type MethodFigures, methodFigures, ranked, sumOf } from './payments.rules'
import { ShareRing } from './shareRing'
import { panelOf, Tabs } from '../tabs'
import boardStyles from '../board.module.css'
import styles from './panels.module.css'
import { classes } from '../../../ui/classes'

const views = ['detail', 'ranking', 'share'] as const
type View = (typeof views)[number]

export const Payments = memo(function Payments(props: {
  title: string
  statistics: readonly StatisticsRow[]
  metric: Metric
}) {
  const { title, statistics, metric } = props
  const t = useText('wallboard')
  const [view, setView] = useState<View>('ranking')
  const figures = methodFigures(statistics)
  const isEmpty = sumOf(figures, 'number') === 0
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.payments)}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        <Tabs
          id="pay"
          className={styles.panelTabs}
          label={title}
          items={views.map((key) => ({ key, label: t(`pay.${key}`) }))}
          selected={view}
          onSelect={setView}
        />
      </div>
      <div className={styles.paymentsView} {...panelOf('pay', view)}>
        {view === 'detail' && <Detail figures={figures} />}
        {view === 'ranking' && <Ranking figures={figures} metric={metric} />}
        {view === 'share' && !isEmpty && <ShareRing figures={figures} metric={metric} />}
        {isEmpty && <p className={boardStyles.panelEmpty}>{t('pay.empty')}</p>}
      </div>
    </section>
  )
})

type Shown = { figures: readonly MethodFigures[]; metric: Metric }

/** Below this whole, fen are shown: rounded rows would not add up to the counter beside them. */
const CENTS_BELOW = 100_000_00

function Ranking({ figures, metric }: Shown) {
  const t = useText('wallboard')
  const language = useLanguage()
  const rows = ranked(figures, metric)
  const most = rows[0]?.[metric] ?? 0
  const whole = sumOf(figures, metric)
  const amountText = whole < CENTS_BELOW ? exactAmountText : roundAmountText
  return (
    <ol className={styles.ranking}>
      {rows.map(({ method, [metric]: value }, i) => {
        const text = metric === 'amount' ? amountText(value, language) : countText(value, language)
        const style: Coloured = { '--method': methodColours[method], transform: `scaleX(${shareOf(value, most) ?? 0})` }
        return (
          <li key={method}>
            <span data-part="rank" className={styles.rank}>
              {i + 1}
            </span>
            <span>{t(`method.${method}`)}</span>
            <span className={styles.rankingValue}>{text}</span>
            <span className={styles.rankingShare}>{percentText(shareOf(value, whole) ?? 0, language)}</span>
            <span className={styles.rankingBar}>
              <i style={style} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

type Coloured = CSSProperties & { '--method': string }

function Detail({ figures }: { figures: readonly MethodFigures[] }) {
  const t = useText('wallboard')
  const whole = sumOf(figures, 'amount')
  return (
    <table className={styles.detail}>
      <thead>
        <tr>
          <th scope="col">{t('pay.method')}</th>
          <th scope="col">{t('pay.number')}</th>
          <th scope="col">{t('pay.amount')}</th>
          <th scope="col">{t('pay.part')}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map((row) => (
          <DetailRow
            key={row.method}
            colour={methodColours[row.method]}
            name={t(`method.${row.method}`)}
            row={row}
            whole={whole}
          />
        ))}
      </tbody>
      <tfoot>
        <DetailRow name={t('pay.all')} row={{ number: sumOf(figures, 'number'), amount: whole }} whole={whole} />
      </tfoot>
    </table>
  )
}

function DetailRow(props: { colour?: string; name: string; row: { number: number; amount: number }; whole: number }) {
  const { colour, name, row, whole } = props
  const language = useLanguage()
  const { whole: yuan, decimals } = amountParts(row.amount, language)
  return (
    <tr>
      <th scope="row">
        {colour && <i className={styles.dot} style={{ background: colour }} />}
        {name}
      </th>
      <td>{countText(row.number, language)}</td>
      <td>
        {yuan}
        {decimals}
      </td>
      <td>{percentText(shareOf(row.amount, whole) ?? 0, language)}</td>
    </tr>
  )
}
