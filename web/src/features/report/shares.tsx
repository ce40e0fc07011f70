import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOverview } from '@aisle/contract/report/overview'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { countText, permilleText } from '../../admin/fields/number'
import { can } from '../../live/session'
import { methodColours } from '../../ui/chart/methodColours'
import { Money } from '../../ui/money'
import { ShareBars } from '../../ui/chart/shareBars'
import { useText } from '../../ui/text'
import { Change } from './change'
import { shareOf } from './change.rules'
import styles from './report.module.css'

type Overview = OutputOf<typeof getOverview>
type Search = Record<string, string>

/** Who paid how, each with its orders behind it. */
export function MethodShares({ overview: { methods, totals }, search }: { overview: Overview; search: Search }) {
  const t = useText('report')
  const shares = bySize(methods)
  return (
    <ShareBars
      label={t('chart.methods')}
      shares={shares.map((share) => ({
        ...partOf(share, { ...search, method: share.method }),
        key: share.method,
        name: <Part value={share.paidFen} whole={totals.paidFen} word={t(`method.${share.method}`)} />,
        colour: methodColours[share.method],
      }))}
    />
  )
}

/** What kind of business it was, each with its orders behind it. */
export function TypeShares({ overview: { types, totals }, search }: { overview: Overview; search: Search }) {
  const t = useText('report')
  const shares = bySize(types)
  return (
    <ShareBars
      label={t('chart.types')}
      shares={shares.map((share) => ({
        ...partOf(share, { ...search, businessType: share.businessType }),
        key: share.businessType,
        name: <Part value={share.paidFen} whole={totals.paidFen} word={t(`businessType.${share.businessType}`)} />,
      }))}
    />
  )
}

type Share = Overview['methods'][number] | Overview['types'][number]

/** What there was in either time, the largest first. */
const bySize = <S extends Share>(shares: readonly S[]): S[] =>
  shares
    .filter(({ orders, beforeFen }) => orders > 0 || beforeFen > 0)
    .toSorted((one, other) => other.paidFen - one.paidFen)

export const Part = ({ value, whole, word }: { value: number; whole: number; word: string }) => (
  <>
    {word} <span className="quiet">{permilleText(shareOf(value, whole))}</span>
  </>
)

/** Opens the orders of a share, for who may see them. */
export function OrdersLink({ search, children }: { search: Search; children: ReactElement }) {
  const { path, access } = screenOf('jygl/ddgl')
  if (!can(access)) return children
  return (
    <Link to={path} search={{ ...search, paid: 'yes' }} className="screen-link">
      {children}
    </Link>
  )
}

const partOf = (share: Share, search: Search) => ({
  value: share.paidFen,
  text: (
    <OrdersLink search={search}>
      <Money fen={share.paidFen} />
    </OrdersLink>
  ),
  note: <Note share={share} />,
})

function Note({ share }: { share: Share }) {
  const t = useText('report')
  return (
    <>
      {t('field.orders')} {countText(share.orders)} · <Change now={share.paidFen} before={share.beforeFen} />
    </>
  )
}

type Mover = Overview['products'][number]

/** What sold more, or less, than before: most first. */
export function Movers(props: { label: string; movers: readonly Mover[]; searchOf: (code: string) => Search }) {
  const { label, movers, searchOf } = props
  const t = useText('report')
  if (movers.length === 0) return <p className="quiet">{t('chart.nothing')}</p>
  return (
    <ul className={styles.movers} aria-label={label}>
      {movers.map(({ code, name, paidFen, beforeFen }) => (
        <li key={code}>
          <Link to={screenOf('jygl/ddgl').path} search={{ ...searchOf(code), paid: 'yes' }} className="screen-link">
            {name}
          </Link>
          <Change now={paidFen} before={beforeFen} />
          <span className="quiet">
            <Money fen={beforeFen} /> → <Money fen={paidFen} />
          </span>
        </li>
      ))}
    </ul>
  )
}
