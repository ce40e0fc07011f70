import type { Field } from '@aisle/contract/kernel/field'
import type { ReactNode } from 'react'
import { countText, permilleText } from '../../admin/fields/number'
import { ToRows } from '../../admin/fields/rows'
import { Money } from '../../ui/money'
import { ShareBars } from '../../ui/chart/shareBars'
import { useText } from '../../ui/text'
import { Change } from './change'
import { shareOf } from './change.rules'
import { othersOf } from './ranking.rules'
import styles from './report.module.css'
import barsStyles from '../../ui/chart/bars.module.css'
import { classes } from '../../ui/classes'

/** One thing in a ranking, by whichever measure it is by. */
export type Placed = {
  id: number
  name: string
  rank: number | null
  rankBefore: number | null
  value: number
  before: number
  row: Record<string, unknown>
}
export type Whole = { value: number; before: number; rows: number }

type Props = {
  title: string
  placed: readonly Placed[]
  whole: Whole
  isByCount: boolean
  /** Where a name leads, as the list says it. */
  nameField: Field
}

/** A bar a thing from zero on, with the mark of the time before; below, what is left and what all comes to. */
export function RankingChart({ title, placed, whole, isByCount, nameField }: Props) {
  const t = useText('report')
  const things = placed.filter(({ rank }) => rank !== null)
  const rest = placed.filter(({ rank }) => rank === null)
  const others = othersOf(placed, whole)
  const amount = (value: number) => (isByCount ? countText(value) : <Money fen={value} />)
  return (
    <>
      <p className={styles.rankKey} aria-hidden="true">
        <span className={barsStyles.key}>{t('chart.now')}</span>
        <span className={classes(barsStyles.key, barsStyles.keyBefore, styles.barsKeyAlong)}>{t('chart.before')}</span>
      </p>
      <div className={things.length > 12 ? classes(styles.rankBars, styles.isLong) : styles.rankBars}>
        <ShareBars
          label={title}
          shares={things.map((each) => ({
            key: String(each.id),
            value: each.value,
            before: each.before,
            name: <PlacedName placed={each} field={nameField} />,
            text: amount(each.value),
            note: <Note placed={each} whole={whole.value} />,
          }))}
        />
      </div>
      <dl data-part="rank-rest" className={styles.rankRest}>
        {rest.map((each) => (
          <Rest key={each.id} word={each.name} figures={each} whole={whole} amount={amount} />
        ))}
        {others.rows > 0 && (
          <Rest
            word={t('chart.others', { count: countText(others.rows) })}
            figures={others}
            whole={whole}
            amount={amount}
          />
        )}
        <Rest word={t('chart.whole')} figures={whole} whole={whole} amount={amount} />
      </dl>
    </>
  )
}

function PlacedName({ placed: { name, rank, row }, field }: { placed: Placed; field: Field }) {
  const t = useText('report')
  return (
    <>
      <span className={styles.rankPlace}>{rank}</span>
      <ToRows value={name} field={field} row={row} t={t}>
        <span>{name}</span>
      </ToRows>
    </>
  )
}

function Note({ placed: { value, before, rankBefore, rank }, whole }: { placed: Placed; whole: number }) {
  const t = useText('report')
  if (value === 0 && before === 0) return t('chart.unsold')
  const moved = rankBefore !== null && rankBefore !== rank
  return (
    <>
      {permilleText(shareOf(value, whole))} · <Change now={value} before={before} />
      {moved && ` · ${t('chart.rankBefore', { rank: rankBefore })}`}
    </>
  )
}

type RestProps = {
  word: string
  figures: { value: number; before: number }
  whole: Whole
  amount: (value: number) => ReactNode
}

const Rest = ({ word, figures: { value, before }, whole, amount }: RestProps) => (
  <div>
    <dt>{word}</dt>
    <dd>
      {amount(value)}{' '}
      <span className="quiet">
        {permilleText(shareOf(value, whole.value))} · <Change now={value} before={before} />
      </span>
    </dd>
  </div>
)
