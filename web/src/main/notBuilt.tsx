import type { Screen } from '@aisle/contract/kernel/screen'
import { screens } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { can } from '../live/session'
import { Icon } from '../ui/icons'
import { type TextKey, useText } from '../ui/text'
import styles from './pages.module.css'

/** Honest about a screen that has a place but does no work yet: what for, for whom, and what works today instead. */
export function NotBuilt({ screen }: { screen: Screen }) {
  const t = useText('system')
  const titles = useText('screens')
  const purposes = useText('purposes')
  const shape: TextKey<'system'> = `notBuilt.shape.${screen.shape}`
  const isForAll = screen.access === 'session'
  return (
    <article className={styles.notBuilt}>
      <header>
        <p className={styles.notBuiltBadge}>
          <Icon name="wrench" size={14} /> {t('notBuilt.badge')}
        </p>
        <h1>{titles.any(screen.key)}</h1>
      </header>
      <p className={styles.notBuiltLead}>{t('notBuilt.lead')}</p>
      <p className={styles.notBuiltPurpose}>{purposes.any(screen.key)}</p>
      <dl className={styles.notBuiltFacts}>
        <div>
          <dt>{t('notBuilt.shape')}</dt>
          <dd>{t(shape)}</dd>
        </div>
        <div>
          <dt>{t('notBuilt.who')}</dt>
          <dd>{isForAll ? t('notBuilt.who.session') : t('notBuilt.who.permission', { permission: screen.access })}</dd>
        </div>
        <div>
          <dt>{t('notBuilt.code')}</dt>
          <dd>
            <code>{screen.path}</code>
          </dd>
        </div>
      </dl>
      <nav aria-label={t('notBuilt.instead')} className={styles.notBuiltInstead}>
        <h2>{t('notBuilt.instead')}</h2>
        <ul>
          {usable(screen).map((each) => (
            <li key={each.key}>
              <Link to={each.path}>
                {titles.any(each.key)} <Icon name="chevron" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </article>
  )
}

/** Built screens that the person may open, those about the same thing first. */
function usable(screen: Screen): Screen[] {
  const built = screens.filter((each) => each.built && each.group !== 'public' && can(each.access))
  return built.sort((a, b) => nearness(b, screen) - nearness(a, screen)).slice(0, 6)
}

const nearness = (a: Screen, b: Screen): number => Number(a.noun === b.noun) * 2 + Number(a.group === b.group)
