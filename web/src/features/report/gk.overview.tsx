import { getOverview } from '@aisle/contract/report/overview'
import { screenOf } from '@aisle/contract/screens'
import { Failure } from '../../admin/failure'
import { Filter } from '../../admin/fields/filter'
import { useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { behind, known } from './query'
import { ReportCard } from './reportCard'
import { ReportHead } from './reportHead'
import { Movers, MethodShares, TypeShares } from './shares'
import { Totals } from './totals'
import { Trend } from './trend'
import styles from './report.module.css'
import listStyles from '../../admin/list.module.css'

const { path } = screenOf('jygl/gk')
const shape = getOverview.input.shape
const filters = ['merchantId', 'machineCode', 'method', 'businessType', 'period']

/** For an operator in the morning, a manager on Monday: how trade goes beside the time before, and where it moves. */
export default function OverviewPage() {
  const t = useText('report')
  const title = useText('screens').any('jygl/gk')
  const address = useAddress(path, shape)
  useLive({ topic: 'orders', also: [] }, [getOverview])
  const found = useEndpoint(getOverview, known(getOverview, address.query), {
    errors: 'throw',
    placeholderData: (before) => before,
  })
  const overview = found.data
  const search = overview ? { ...behind(address.query), from: overview.from, to: overview.to } : {}
  return (
    <div className={listStyles.list}>
      <div className="list-main">
        <header className="list-head">
          <h1>{title}</h1>
        </header>
        <ReportHead address={address} />
        <div className={listStyles.filters} role="search" aria-label={title}>
          {filters.map((name) => (
            <Filter key={name} {...{ name, query: address.query, change: address.change, fields: {}, shape, t }} />
          ))}
        </div>
        {found.isError && <Failure failure={found.error} retry={() => void found.refetch()} />}
        {overview && (
          <div data-part="overview" className={styles.overview} aria-busy={found.isPlaceholderData}>
            <Totals overview={overview} search={search} />
            <ReportCard query={address.query} title={t('chart.trend')}>
              <Trend overview={overview} />
            </ReportCard>
            <div className={styles.cards}>
              <ReportCard query={address.query} title={t('chart.methods')}>
                <MethodShares overview={overview} search={search} />
              </ReportCard>
              <ReportCard query={address.query} title={t('chart.types')}>
                <TypeShares overview={overview} search={search} />
              </ReportCard>
              <ReportCard query={address.query} title={t('chart.products')}>
                <Movers
                  label={t('chart.products')}
                  movers={overview.products}
                  searchOf={(productCode) => ({ ...search, productCode })}
                />
              </ReportCard>
              <ReportCard query={address.query} title={t('chart.machines')}>
                <Movers
                  label={t('chart.machines')}
                  movers={overview.machines}
                  searchOf={(machineCode) => ({ ...search, machineCode })}
                />
              </ReportCard>
            </div>
          </div>
        )}
      </div>
      <Hints />
    </div>
  )
}
