import { type CallOf, MAX_PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import type { Field, Fields } from '@aisle/contract/kernel/field'
import { moneyText } from '@aisle/contract/kernel/text'
import type { listMachineTrade, TradeRow } from '@aisle/contract/report/statistics/trade'
import type { ComponentType } from 'react'
import type { ListPage } from '../../../admin/declaration'
import { Failure } from '../../../admin/failure'
import { countText } from '../../../admin/fields/number'
import { ToRows } from '../../../admin/fields/rows'
import { listPage } from '../../../admin/listPage'
import type { ListAddress } from '../../../admin/useAddress'
import { type ListEndpoint, useWhole } from '../../../admin/useList'
import { useEndpoint } from '../../../live/query'
import { ShareBars } from '../../../ui/chart/shareBars'
import { TimeChart as Chart } from '../../../ui/chart/timeChart'
import { Money } from '../../../ui/money'
import { useLanguage, useText } from '../../../ui/text'
import { Change } from '../change'
import { behind } from '../query'
import { Against, OnlyRunner } from '../rankingSummary'
import { ReportCard } from '../reportCard'
import { ReportHead, times } from '../reportHead'
import { usePeriod } from '../scopeWords'
import { Total } from '../totals'
import { type Timed, timesOf } from './times.rules'
import styles from '../report.module.css'

type Statistics = {
  list: ListEndpoint
  fields: Fields
  /** What rows may be told apart by; the first is the list's own. */
  groups: readonly string[]
  /** The order in which things are told when they are not times. */
  top: string
  /** The figure that the bars show, in fen; its `beforeFen` is marked on them. */
  bar: string
  /** Of the sums: each opens its rows where its field does. */
  totals: readonly string[]
  /** A sum and the name under which the sums tell it of the time before. */
  before?: Readonly<Record<string, string>>
  /** Whether the totals' rows can be asked for like the report. */
  opens?: boolean
  note?: 'margin.help' | 'hospital.help' | 'settled.help' | 'purchase.help' | 'voucher.help' | 'point.help'
}

type Row = TradeRow & Record<string, unknown>

/** A list with what its rows come to above it, and the first of them as bars beside the time before. */
export const statisticsPage = <L extends ListEndpoint>(
  of: Statistics & Omit<ListPage<L>, 'words' | 'summary' | 'sums'>,
) => listPage<L>({ ...of, words: 'report', summary: summaryOf(of), sums: (sums) => amountsOf(of, sums) })

const amountsOf = ({ totals, fields }: Statistics, sums: Record<string, unknown>) =>
  Object.fromEntries(
    totals.flatMap((name) => (fields[name]?.kind === 'money' ? [[name, Number(sums[name] ?? 0)]] : [])),
  )

const summaryOf = (of: Statistics): ComponentType<{ address: ListAddress }> =>
  function StatisticsSummary({ address }) {
    const t = useText('report')
    const by = address.query.by ?? of.groups[0] ?? ''
    const isTime = times.has(by)
    const { cursor: _, ...first } = address.query
    const list = of.list as typeof listMachineTrade
    const asked = isTime ? { ...first, sort: 'group', pageSize: String(MAX_PAGE_SIZE) } : first
    const found = useEndpoint(list, asked as CallOf<typeof list>, {
      errors: 'throw',
      placeholderData: (before) => before,
    })
    const rows = (found.data?.items ?? []) as Row[]
    const told = timesOf(
      rows.map((row) => ({ name: row.name, value: Number(row[of.bar]) })),
      found.data?.nextCursor !== null,
    )
    const title = [t.any(`field.${of.bar}`), t.any(`by.${by}`), ...(isTime ? [spanOf(told)] : [])].join(' · ')
    return (
      <>
        <ReportHead
          address={address}
          groups={of.groups}
          top={of.top}
          isCompared={of.before !== undefined}
          {...(of.note && { note: t(of.note) })}
        />
        <OnlyRunner address={address} />
        {found.isError && <Failure failure={found.error} retry={() => void found.refetch()} />}
        {rows.length > 0 && (
          <div data-part="overview" className={styles.overview} aria-busy={found.isPlaceholderData}>
            <StatisticsTotals of={of} address={address} isTime={isTime} />
            <ReportCard title={title} query={address.query}>
              {isTime ? <TimeChart of={of} told={told} /> : <ThingChart of={of} rows={rows} />}
            </ReportCard>
          </div>
        )}
      </>
    )
  }

type TotalsProps = { of: Statistics; address: ListAddress; isTime: boolean }

function StatisticsTotals({ of, address, isTime }: TotalsProps) {
  const t = useText('report')
  const sums = (useWhole(of.list, address.query).data as { sums?: Record<string, number> } | undefined)?.sums
  const { data } = usePeriod(address.query)
  if (!sums) return null
  const openOf = (name: string) => {
    const field = of.fields[name]
    if (of.opens === false || !data || !field || !('to' in field) || !field.to) return {}
    const { from, to } = data
    const days: Record<string, string> =
      field.to === 'jygl/tkgl' ? { doneFrom: from, doneTo: to } : { from, to, paid: 'yes' }
    const { from: _, to: __, ...rest } = behind(address.query)
    return { to: field.to, search: { ...rest, ...days } }
  }
  const change = (name: string) => {
    const before = of.before?.[name]
    return before === undefined || isTime ? null : <Change now={sums[name] ?? 0} before={sums[before] ?? 0} />
  }
  return (
    <section aria-label={t('figures')}>
      <div className={styles.totals}>
        {of.totals.map((name) => (
          <Total
            key={name}
            name={t.any(`field.${name}`)}
            value={of.fields[name]?.kind === 'money' ? <Money fen={sums[name] ?? 0} /> : countText(sums[name] ?? 0)}
            change={change(name)}
            {...openOf(name)}
          />
        ))}
      </div>
      {data && of.before && !isTime && <Against from={data.beforeFrom} to={data.beforeTo} isOpen={data.isOpen} />}
    </section>
  )
}

type ChartProps = { of: Statistics; rows: readonly Row[] }

function ThingChart({ of, rows }: ChartProps) {
  const t = useText('report')
  const nameField: Field = of.fields.name ?? { kind: 'text' }
  const title = t.any(`field.${of.bar}`)
  return (
    <div className={rows.length > 12 ? `${styles.rankBars} ${styles.isLong}` : styles.rankBars}>
      <ShareBars
        label={title}
        shares={rows.map((row) => {
          const [value, before] = [Number(row[of.bar]), of.before ? (row.beforeFen ?? 0) : undefined]
          return {
            key: String(row.id),
            value,
            ...(before !== undefined && { before, note: <Change now={value} before={before} /> }),
            name: (
              <ToRows value={row.name} field={nameField} row={row} t={t}>
                <span>{row.name}</span>
              </ToRows>
            ),
            text: <Money fen={value} />,
          }
        })}
      />
    </div>
  )
}

/** From the oldest to the newest of them. */
const spanOf = (told: readonly Timed[]) =>
  [...new Set([told[0]?.name.slice(0, 10), told.at(-1)?.name.slice(-10)])].join(' – ')

function TimeChart({ of, told }: { of: Statistics; told: readonly Timed[] }) {
  const t = useText('report')
  const language = useLanguage()
  const word = t.any(`field.${of.bar}`)
  const money = (fen: number) => moneyText(fen, language)
  return (
    <Chart
      label={word}
      fromZero
      lines={[
        { label: word, shape: 'bars', colour: '--primary', points: told.map(({ value }, at) => ({ at, value })) },
      ]}
      valueText={money}
      atText={(place) => told[place]?.name ?? ''}
      markText={(place) => told[place]?.name.slice(0, 10) ?? ''}
    />
  )
}
