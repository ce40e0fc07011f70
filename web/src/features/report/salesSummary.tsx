import { getOverview } from '@aisle/contract/report/overview'
import { summaryGroups, typeGroups } from '@aisle/contract/report/sales'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { behind, known } from './query'
import { ReportCard } from './reportCard'
import { ReportHead } from './reportHead'
import { TypeShares } from './shares'
import { Totals } from './totals'
import { Trend } from './trend'
import styles from './report.module.css'

/** Totals beside the time before, above the rows that they are the sum of. */
export function SalesSummary({ address }: { address: ListAddress }) {
  const overview = useOverview(address)
  return (
    <>
      <ReportHead address={address} groups={summaryGroups} />
      {overview && <Totals overview={overview} search={behind(address.query)} />}
    </>
  )
}

/** The same with the trend and the shares of each kind of business. */
export function TypeSummary({ address }: { address: ListAddress }) {
  const t = useText('report')
  const overview = useOverview(address)
  return (
    <>
      <ReportHead address={address} groups={typeGroups} />
      {overview && (
        <>
          <Totals overview={overview} search={behind(address.query)} />
          <div className={styles.cards}>
            <ReportCard query={address.query} title={t('chart.trend')}>
              <Trend overview={overview} />
            </ReportCard>
            <ReportCard query={address.query} title={t('chart.types')}>
              <TypeShares
                overview={overview}
                search={{ ...behind(address.query), from: overview.from, to: overview.to }}
              />
            </ReportCard>
          </div>
        </>
      )}
    </>
  )
}

const useOverview = (address: ListAddress) =>
  useEndpoint(getOverview, known(getOverview, address.query), { errors: 'silent', placeholderData: (before) => before })
    .data
