import type { ListAddress } from '../../admin/useAddress'
import { useText } from '../../ui/text'
import { measureOf, sortOf } from './ranking.rules'
import styles from './report.module.css'

const tops = ['10', '20', '50'] as const
const SHIPPED_TOP = '20'

/** By what, from which end and how many: what the address says of the order and the page, as words. */
export function RankingSwitches({ address, count }: { address: ListAddress; count: 'quantity' | 'orders' }) {
  const t = useText('report')
  const measure = measureOf(address.query.sort ?? 'paid', count)
  const top = address.query.pageSize ?? SHIPPED_TOP
  const rank = (change: Partial<typeof measure>) => {
    const sort = sortOf({ ...measure, end: measure.end ?? 'most', ...change }, count)
    address.change({ sort: sort === 'paid' ? undefined : sort })
  }
  return (
    <div className={styles.switches}>
      <Switch label={t('rank.by')}>
        <Choice isOn={!measure.isByCount} onPick={() => rank({ isByCount: false })} word={t('sort.paid')} />
        <Choice isOn={measure.isByCount} onPick={() => rank({ isByCount: true })} word={t(`sort.${count}`)} />
      </Switch>
      <Switch label={t('rank.end')}>
        <Choice isOn={measure.end === 'most'} onPick={() => rank({ end: 'most' })} word={t('rank.most')} />
        <Choice isOn={measure.end === 'least'} onPick={() => rank({ end: 'least' })} word={t('rank.least')} />
      </Switch>
      <Switch label={t('rank.top')}>
        {tops.map((each) => (
          <Choice
            key={each}
            isOn={top === each}
            onPick={() => address.change({ pageSize: each === SHIPPED_TOP ? undefined : each })}
            word={t('rank.first', { count: each })}
          />
        ))}
      </Switch>
    </div>
  )
}

export const Switch = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div className={styles.bar} role="group" aria-label={label}>
    {children}
  </div>
)

export const Choice = ({ isOn, onPick, word }: { isOn: boolean; onPick: () => void; word: string }) => (
  <button type="button" aria-pressed={isOn} onClick={onPick}>
    {word}
  </button>
)
