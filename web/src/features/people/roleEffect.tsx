import type { OfferedRole } from '@aisle/contract/people/user'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { type Change, effectOf } from './roleEffect.rules'
import styles from './people.module.css'

/** What saving would do: pages that come and go. */
export function RoleEffect(props: {
  offered: readonly OfferedRole[]
  before: ReadonlySet<number>
  after: ReadonlySet<number>
}) {
  const t = useText('people')
  const { gained, lost } = effectOf(props.offered, props.before, props.after)
  return (
    <div className={styles.roleEffect} aria-live="polite">
      <h2>{t('effect.title')}</h2>
      {gained.count + lost.count === 0 && <p className="quiet">{t('effect.nothing')}</p>}
      <Changed tone="good" title={t('effect.gained', { count: gained.count })} change={gained} />
      <Changed tone="bad" title={t('effect.lost', { count: lost.count })} change={lost} />
    </div>
  )
}

function Changed({ tone, title, change }: { tone: 'good' | 'bad'; title: string; change: Change }) {
  const screens = useText('screens')
  if (change.count === 0) return null
  const names = [...new Set(change.pages.map((key) => screens.any(key)))]
  return (
    <div className={styles[`role-${tone}`]}>
      <h3>
        <Icon name={tone === 'good' ? 'check' : 'close'} size={14} /> {title}
      </h3>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  )
}
