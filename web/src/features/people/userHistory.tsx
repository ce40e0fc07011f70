import type { UserEvent } from '@aisle/contract/people/user'
import { When } from '../../admin/fields/time'
import { Timeline } from '../../ui/chart/timeline'
import { useText } from '../../ui/text'
import styles from './people.module.css'

/** Who changed what about somebody, newest first. */
export function UserHistory({ history }: { history: readonly UserEvent[] }) {
  const t = useText('people')
  const actions = useText('audit')
  if (history.length === 0) return <p className="quiet">{t('history.none')}</p>
  return (
    <Timeline
      moments={history.map(({ at, action, byName, changes }) => ({
        key: `${at} ${action}`,
        tone: toneOf(action),
        title: actions.any(`action.${action}`),
        when: (
          <>
            {byName} · <When at={at} />
          </>
        ),
        detail: changes.length > 0 && <Changes changes={changes} />,
      }))}
    />
  )
}

function toneOf(action: string): 'bad' | 'good' | 'idle' {
  if (/disable|revoke|stop|reset/i.test(action)) return 'bad'
  return /add|enable|grant/i.test(action) ? 'good' : 'idle'
}

function Changes({ changes }: { changes: UserEvent['changes'] }) {
  const t = useText('people')
  const word = (field: string, value: string | null) => {
    if (value === null) return '–'
    const key = field === 'kind' ? `userKind.${value}` : field === 'state' ? `userState.${value}` : ''
    return t.has(key) ? t.any(key) : value
  }
  return (
    <>
      {changes.map(({ field, before, after }) => (
        <span key={field} className={styles.change}>
          {t.has(`field.${field}`) ? t.any(`field.${field}`) : field}: {before !== null && `${word(field, before)} → `}
          {word(field, after)}
        </span>
      ))}
    </>
  )
}
