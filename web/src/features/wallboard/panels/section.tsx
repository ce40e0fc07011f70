import type { SectionFigure, SectionRanking, SectionTrend, SectionUnit } from '@aisle/contract/wallboard/section'
import type { Language } from '@aisle/contract/kernel/text'
import { type CSSProperties, memo } from 'react'
import { useLanguage, useText } from '../../../ui/text'
import type { BoardState } from '../board.state'
import {
  changeText,
  compactAmountText,
  countText,
  dayText,
  emsOf,
  exactAmountText,
  hoursText,
  monthText,
  percentText,
  roundAmountText,
} from '../format'
import { FreshnessNote } from '../freshness'
import type { BoardTab } from '../header'
import { labelledSteps, roundTop } from './section.rules'
import styles from './section.module.css'
import mapStyles from '../map/map.module.css'
import boardStyles from '../board.module.css'
import salesStyles from './sales.module.css'
import panelsStyles from './panels.module.css'
import { classes } from '../../../ui/classes'

/** A tab beside sales: figures on the left, how they went in the middle, who leads on the right. */
export function SectionView({ board, tab }: { board: BoardState; tab: Exclude<BoardTab, 'sales'> }) {
  const t = useText('wallboard')
  const section = board.section?.tab === tab ? board.section : null
  if (!section) return <p className={styles.wait}>{t('section.loading')}</p>
  const [first, ...others] = section.rankings
  // Figures beside these may still be heard when these are not.
  const heardAtMs = Math.min(board.heardAtMs ?? 0, board.sectionAtMs)
  return (
    <div className={styles.section}>
      <div className={styles.figures}>
        {section.figures.map((each) => (
          <FigureCard key={each.name} tab={tab} figure={each} />
        ))}
      </div>
      <div className={styles.middle}>
        <Trend tab={tab} trend={section.trend} />
        {first && <Ranking tab={tab} ranking={first} />}
        <div className={classes(mapStyles.foot, styles.foot)}>
          <FreshnessNote board={{ link: board.link, heardAtMs }} />
        </div>
      </div>
      <div className={styles.right}>
        {others.map((each) => (
          <Ranking key={each.name} tab={tab} ranking={each} />
        ))}
      </div>
    </div>
  )
}

type Tab = Exclude<BoardTab, 'sales'>

/** Of smaller amounts, fen are shown. */
const CENTS_BELOW = 100_00

function valueText(value: number, unit: SectionUnit, language: Language): string {
  if (unit === 'fen')
    return Math.abs(value) < CENTS_BELOW ? exactAmountText(value, language) : roundAmountText(value, language)
  if (unit === 'share') return percentText(value, language)
  return countText(value, language)
}

const FigureCard = memo(function FigureCard({ tab, figure }: { tab: Tab; figure: SectionFigure }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const { name, unit, value, before } = figure
  const change = value !== null && before ? (value - before) / before : null
  const text = value === null ? '–' : valueText(value, unit, language)
  const hours = unit === 'hours' && value !== null ? t('section.hours') : ''
  const style: CSSProperties & { '--ems': number } = { '--ems': emsOf(text) + emsOf(hours) + 0.4 }
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.figure)}>
      <h2>{t.any(`section.${tab}.${name}`)}</h2>
      <p className={styles.value} style={style}>
        {text}
        {hours && <small> {hours}</small>}
      </p>
      <p className={salesStyles.counterNote}>
        {before !== null && change !== null && t('section.before', { change: changeText(change, language) })}
      </p>
    </section>
  )
})

/** Columns from zero, one a day; the newest in gold. Said as one sentence to who can't see it. */
const Trend = memo(function Trend({ tab, trend }: { tab: Tab; trend: SectionTrend }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const { name, unit, values } = trend
  const top = roundTop(values)
  const title = t.any(`section.${tab}.${name}`)
  const sum = values.reduce((whole, value) => whole + value, 0)
  const summary = t('section.trend', {
    title,
    sum: valueText(sum, unit, language),
    last: valueText(values.at(-1) ?? 0, unit, language),
  })
  const mark = (value: number) => (unit === 'fen' ? compactAmountText(value, language) : countText(value, language))
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.trend)}>
      <h2>{title}</h2>
      <div className={salesStyles.hoursChart} role="img" aria-label={summary}>
        <span className={salesStyles.hoursLine} style={{ bottom: '100%' }}>
          {mark(top)}
        </span>
        {Number.isInteger(top / 2) && (
          <span className={salesStyles.hoursLine} style={{ bottom: '50%' }}>
            {mark(top / 2)}
          </span>
        )}
        {values.map((value, at) => (
          <div
            key={at}
            className={at === values.length - 1 ? classes(salesStyles.hour, salesStyles.hourNow) : salesStyles.hour}
          >
            <b className={salesStyles.hourToday} style={{ transform: `scaleY(${value / top})` }} />
          </div>
        ))}
      </div>
      <div className={salesStyles.hoursAxis} data-step={trend.step} aria-hidden="true">
        {labelledSteps(trend).map((atMs, at) => (
          <span key={at}>{atMs !== null && (trend.step === 'month' ? monthText : dayText)(atMs, language)}</span>
        ))}
      </div>
    </section>
  )
})

const Ranking = memo(function Ranking({ tab, ranking }: { tab: Tab; ranking: SectionRanking }) {
  const t = useText('wallboard')
  const language = useLanguage()
  const { name, unit, rows } = ranking
  const isGrowth = name === 'byGrowth'
  // A share is one of a whole; everything else is told from the first in the list.
  const most = unit === 'share' && !isGrowth ? 1 : Math.max(...rows.map(({ value }) => value), 0)
  const rowText = isGrowth ? changeText : unit === 'hours' ? hoursText : null
  const isCompared = rows.some(({ before }) => before)
  const style: CSSProperties & { '--rows': number } = { '--rows': Math.max(1, rows.length) }
  return (
    <section data-part="panel" className={classes(boardStyles.panel, styles.ranking)} style={style}>
      <h2>{t.any(`section.${tab}.${name}`)}</h2>
      {rows.length === 0 && <p className={boardStyles.panelEmpty}>{t('section.none')}</p>}
      <ol className={isCompared ? panelsStyles.ranking : classes(panelsStyles.ranking, styles.plain)}>
        {rows.map(({ label, value, before }, at) => (
          <li key={`${at} ${label}`}>
            <span data-part="rank" className={panelsStyles.rank}>
              {at + 1}
            </span>
            <span className={styles.name}>{label}</span>
            <span className={panelsStyles.rankingValue}>
              {rowText ? rowText(value, language) : valueText(value, unit, language)}
            </span>
            {isCompared && (
              <span className={panelsStyles.rankingShare}>
                {before ? changeText((value - before) / before, language) : ''}
              </span>
            )}
            <span className={panelsStyles.rankingBar}>
              <i style={{ transform: `scaleX(${most > 0 ? Math.max(0, value) / most : 0})` }} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
})
