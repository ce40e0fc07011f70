import type { Screen } from '@aisle/contract/kernel/screen'
import { screenOf, screens, sections } from '@aisle/contract/screens'
import { type AttentionKind, getSystemHome } from '@aisle/contract/system/home'
import { Link } from '@tanstack/react-router'
import { countText } from '../../admin/fields/number'
import { Failure } from '../../admin/failure'
import { AppLink } from '../../admin/appLink'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useTopic } from '../../live/topics'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import styles from './settings.module.css'

/** Where each kind is dealt with, filtered to what is meant. */
const ways: Record<AttentionKind, string> = {
  systemAlarm: screenOf('xtgl/xtbjjl').path,
  licenceExpired: `${screenOf('shgl/zjgl').path}?state=expired`,
  licenceExpiring: `${screenOf('shgl/zjgl').path}?state=expiring`,
  accountReview: screenOf('shgl/shzhxx').path,
  messageFailed: `${screenOf('xtgl/xxts').path}?state=failed`,
  untranslated: `${screenOf('xtgl/yysz').path}?entryState=untranslated`,
  agreementDraft: `${screenOf('xtgl/sz').path}?tab=agreements`,
}
const urgent: readonly AttentionKind[] = ['systemAlarm', 'licenceExpired', 'messageFailed']

/**
 * For whoever keeps the system, as the first page of the day: what waits or is wrong, then the way to each screen of
 * the group that they may open.
 */
export default function SystemHomePage() {
  const t = useText('system')
  const title = useText('screens').any('xtgl/index')
  const found = useEndpoint(getSystemHome, {}, { errors: 'silent' })
  useTopic('changes', () => void refetch(getSystemHome))
  const items = found.data?.items ?? []
  const waiting = items.filter(({ count }) => count > 0)
  return (
    <div className={styles.systemHome}>
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {found.isError && <Failure failure={found.error} retry={() => void found.refetch()} />}
      {items.length > 0 && (
        <section aria-label={t('home.attention')}>
          <h2>{t('home.attention')}</h2>
          {waiting.length === 0 ? (
            <p className={styles.homeWell}>
              <Icon name="check" /> {t('home.allWell')}
            </p>
          ) : (
            <ul className={styles.homeAttention}>
              {waiting.map(({ kind, count }) => (
                <li key={kind}>
                  <AppLink path={ways[kind]} className={urgent.includes(kind) ? styles.homeUrgent : undefined}>
                    <b>{countText(count)}</b>
                    <span>{t(`home.${kind}`)}</span>
                    <small>{t(`home.${kind}.help`)}</small>
                  </AppLink>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      <Ways />
    </div>
  )
}

/** Forms that a list opens are no way in. */
const inner = ['xtgl/index', 'xtgl/xzptzy', 'xtgl/bjptzy', 'xtgl/xzjs', 'xtgl/bjjs', 'xtgl/jszyqx', 'xtgl/xzxxtz']

function Ways() {
  const t = useText('system')
  const titles = useText('screens')
  const purposes = useText('purposes')
  const open = screens.filter(({ group, key, access }) => group === 'xtgl' && !inner.includes(key) && can(access))
  const found = [...new Set(open.map(sectionOf))]
  return (
    <>
      {found.map((section) => (
        <section key={section} aria-label={section ? titles.any(`group.${section}`) : t('home.general')}>
          <h2>{section ? titles.any(`group.${section}`) : t('home.general')}</h2>
          <ul className={styles.homeWays}>
            {open
              .filter((each) => sectionOf(each) === section)
              .map(({ key, path, built }) => (
                <li key={key}>
                  <Link to={path} className={built ? undefined : styles.homeSoon}>
                    <b>{titles.any(key)}</b>
                    <small>{built ? purposes.any(key) : t('shell.soon')}</small>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** `xtgl/zfsz` for a screen of that section, '' for those that hang on the group itself. */
function sectionOf({ path }: Screen): string {
  const above = path.slice(0, path.lastIndexOf('/'))
  return sections.has(above) ? above.slice(1) : ''
}
