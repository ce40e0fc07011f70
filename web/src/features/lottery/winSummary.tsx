import { summariseWins } from '@aisle/contract/lottery/statistics'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { WinBand } from './winBand'
import styles from './lottery.module.css'

/** The whole period against the odds, and the machines that lie outside of what chance explains. */
export function WinSummary({ address }: { address: ListAddress }) {
  const t = useText('lottery')
  const { from, to, merchantId, machineId } = address.query
  const asked = Object.fromEntries(Object.entries({ from, to, merchantId, machineId }).filter(([, value]) => value))
  const { data } = useEndpoint(summariseWins, asked, { errors: 'silent' })
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  return (
    <div className={styles.whole}>
      {data ? <WinBand figures={data} /> : <div className="bone" />}
      <Tally
        label={t('section.figures')}
        address={address}
        figures={[
          { name: 'machines', tone: 'idle', word: t('summary.machines'), count: data?.machines, query: days },
          {
            name: 'tooMany',
            tone: 'bad',
            word: t('winVerdict.tooMany'),
            count: data?.tooMany,
            query: { ...days, verdict: 'tooMany' },
          },
          {
            name: 'tooFew',
            tone: 'warn',
            word: t('winVerdict.tooFew'),
            count: data?.tooFew,
            query: { ...days, verdict: 'tooFew' },
          },
        ]}
      />
    </div>
  )
}
