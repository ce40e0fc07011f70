import type { Field } from '@aisle/contract/kernel/field'
import {
  goodsRankingFields,
  machineRankingFields,
  productRankingFields,
  rankedRunners,
  rankGoods,
  rankMachines,
  rankProducts,
  rankRunners,
  runnerRankingFields,
} from '@aisle/contract/report/ranking'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useWhole } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { Change } from './change'
import { RankingChart } from './rankingChart'
import { RankingSwitches } from './rankingSwitches'
import { measureOf } from './ranking.rules'
import { ReportCard } from './reportCard'
import { ReportHead } from './reportHead'
import { usePeriod, useRunner } from './scopeWords'
import { Total } from './totals'
import styles from './report.module.css'

type Props = { address: ListAddress }
type Ranked = typeof rankProducts | typeof rankGoods | typeof rankMachines | typeof rankRunners
type Count = 'quantity' | 'orders'

export function ProductRanking({ address }: Props) {
  const t = useText('report')
  const title = useText('screens')('home/syspxlpm')
  const ranking = {
    list: rankProducts,
    count: 'quantity',
    nameField: productRankingFields.name,
  } as const
  return (
    <>
      <ReportHead address={address} note={t('product.note')} />
      <Ranking address={address} title={title} {...ranking} />
    </>
  )
}

export function GoodsRanking({ address }: Props) {
  const t = useText('report')
  const title = useText('screens')('spgl/spxsph')
  const ranking = { list: rankGoods, count: 'quantity', nameField: goodsRankingFields.name } as const
  return (
    <>
      <ReportHead address={address} note={t('goods.note')} />
      <Ranking address={address} title={title} {...ranking} />
    </>
  )
}

export function MachineRanking({ address }: Props) {
  const t = useText('report')
  const title = useText('screens')('home/syjqpm')
  const ranking = { list: rankMachines, count: 'orders', nameField: machineRankingFields.name } as const
  return (
    <>
      <ReportHead address={address} note={t('machine.note')} />
      <OnlyRunner address={address} />
      <Ranking address={address} title={title} {...ranking} />
    </>
  )
}

export function RunnerRanking({ address }: Props) {
  const t = useText('report')
  const by = address.query.by === 'hospital' ? 'hospital' : 'operator'
  const title = `${useText('screens')('home/syyyxlpm')} · ${t(`by.${by}`)}`
  const ranking = { list: rankRunners, count: 'orders', nameField: runnerRankingFields.name } as const
  return (
    <>
      <ReportHead address={address} groups={rankedRunners} top="paid" note={t('runner.note')} />
      <Ranking address={address} title={title} {...ranking} />
    </>
  )
}

/** What one came from: the machines of an operator or hospital, and the way back to all. */
export function OnlyRunner({ address }: Props) {
  const t = useText('report')
  const runner = useRunner(address.query)
  if (!runner) return null
  return (
    <p className={styles.only} role="status">
      {runner.words}
      <button
        type="button"
        className="btn-plain"
        onClick={() => address.change({ operatorId: undefined, hospitalId: undefined })}
      >
        {t('only.clear')}
      </button>
    </p>
  )
}

type RankingProps = Props & {
  list: Ranked
  count: Count
  title: string
  nameField: Field
}

/** The first rows of the list as bars: the same rows that stand below, however far one has paged. */
function Ranking({ address, list, count, title, nameField }: RankingProps) {
  const { cursor: _, ...first } = address.query
  const found = useEndpoint(list as typeof rankProducts, first as CallOf<typeof rankProducts>, {
    errors: 'throw',
    placeholderData: (before) => before,
  })
  const whole = useWhole(list as typeof rankProducts, address.query)
  const { total, sums } = whole.data ?? {}
  const t = useText('report')
  const { isByCount, end } = measureOf(address.query.sort ?? 'paid', count)
  const by = t(`sort.${isByCount ? count : 'paid'}`)
  const says = [end === null ? t('sort.change') : `${t('rank.by')} ${by} · ${t(`rank.${end}`)}`]
  const answer = found.data
  const [now, before] = isByCount ? [count, `${count}Before`] : ['paidFen', 'beforeFen']
  const of = (figures: Record<string, unknown>) => ({ value: Number(figures[now]), before: Number(figures[before]) })
  return (
    <>
      <RankingSwitches address={address} count={count} />
      {found.isError && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {answer && sums && answer.items.length > 0 && (
        <div
          data-part="overview"
          className={styles.overview}
          aria-busy={found.isPlaceholderData || whole.isPlaceholderData}
        >
          <RankingTotals query={address.query} count={count} sums={sums} />
          <ReportCard title={title} query={address.query} says={says}>
            <RankingChart
              {...{ title, isByCount, nameField }}
              placed={answer.items.map((row) => ({ ...row, ...of(row), row }))}
              whole={{ ...of(sums), rows: total ?? answer.items.length }}
            />
          </ReportCard>
        </div>
      )}
    </>
  )
}

type TotalsProps = {
  query: Record<string, string>
  count: Count
  sums: Record<string, number>
}

/** What all of it comes to beside the time before, and how many of them sold anything. */
function RankingTotals({ query, count, sums }: TotalsProps) {
  const t = useText('report')
  const { data } = usePeriod(query)
  const sum = (name: string) => sums[name] ?? 0
  const selling = t('selling.of', { selling: countText(sum('selling')), total: countText(sum('things')) })
  return (
    <section aria-label={t('figures')}>
      <div className={styles.totals}>
        <Total
          name={t('field.paidFen')}
          value={<Money fen={sum('paidFen')} />}
          change={<Change now={sum('paidFen')} before={sum('beforeFen')} />}
        />
        <Total
          name={t(`field.${count}`)}
          value={countText(sum(count))}
          change={<Change now={sum(count)} before={sum(`${count}Before`)} />}
        />
        <Total name={t('field.refundedFen')} value={<Money fen={sum('refundedFen')} />} change={null} />
        <Total name={t('selling')} value={selling} change={null} />
      </div>
      {data && <Against from={data.beforeFrom} to={data.beforeTo} isOpen={data.isOpen} />}
    </section>
  )
}

/** Which days the figures stand beside; a day that is not over is no fair match for a whole one. */
export function Against({ from, to, isOpen }: { from: string; to: string; isOpen: boolean }) {
  const t = useText('report')
  return (
    <p className={styles.against}>
      {t('against', { from, to })}
      {isOpen && ` · ${t('against.open')}`}
    </p>
  )
}
