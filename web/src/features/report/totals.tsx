import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOverview } from '@aisle/contract/report/overview'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countText } from '../../admin/fields/number'
import { can } from '../../live/session'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Change } from './change'
import styles from './report.module.css'

type Overview = OutputOf<typeof getOverview>
type Search = Record<string, string>

/** The figures of the time, each beside the time before and with its rows behind it. */
export function Totals({ overview, search }: { overview: Overview; search: Search }) {
  const t = useText('report')
  const { totals, before, from, to, beforeFrom, beforeTo } = overview
  const average = ({ orders, paidFen }: Overview['totals']) => (orders === 0 ? 0 : Math.round(paidFen / orders))
  const { from: _, to: __, ...rest } = search
  const orders = { ...rest, from, to, paid: 'yes' }
  const refunds = { ...rest, doneFrom: from, doneTo: to }
  const money = (name: 'paidFen' | 'netFen' | 'refundedFen') => ({
    value: <Money fen={totals[name]} />,
    change: <Change now={totals[name]} before={before[name]} isBad={name === 'refundedFen'} />,
  })
  const count = (name: 'orders' | 'refunds') => ({
    value: countText(totals[name]),
    change: <Change now={totals[name]} before={before[name]} isBad={name === 'refunds'} />,
  })
  return (
    <section aria-label={t('figures')}>
      <div className={styles.totals}>
        <Total name={t('field.paidFen')} {...money('paidFen')} to="jygl/ddgl" search={orders} />
        <Total name={t('field.orders')} {...count('orders')} to="jygl/ddgl" search={orders} />
        <Total name={t('field.refundedFen')} {...money('refundedFen')} to="jygl/tkgl" search={refunds} />
        <Total name={t('field.refunds')} {...count('refunds')} to="jygl/tkgl" search={refunds} />
        <Total name={t('field.netFen')} {...money('netFen')} />
        <Total
          name={t('field.averageFen')}
          value={<Money fen={average(totals)} />}
          change={<Change now={average(totals)} before={average(before)} />}
        />
      </div>
      <p className={styles.against}>{t('against', { from: beforeFrom, to: beforeTo })}</p>
    </section>
  )
}

type TotalProps = { name: string; value: ReactNode; change: ReactNode; to?: string; search?: Search }

export function Total({ name, value, change, to, search }: TotalProps) {
  const face = (
    <>
      <span>{name}</span>
      <strong>{value}</strong>
      {change}
    </>
  )
  const screen = to ? screenOf(to) : undefined
  if (!screen?.built || !can(screen.access))
    return (
      <div data-part="report-total" className={styles.total}>
        {face}
      </div>
    )
  return (
    <Link to={screen.path} search={search ?? {}} data-part="report-total" className={styles.total}>
      {face}
    </Link>
  )
}
