import { listMachinesOfUser } from '@aisle/contract/sight/why'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { can } from '../../live/session'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './people.module.css'

const SHOWN = 100

/** What somebody sees, machine by machine, and through what: for "why can't I see it?" on the phone. */
export function UserMachines({ id }: { id: number }) {
  const t = useText('people')
  const sight = useText('sight')
  const kit = useText('admin')
  const [cursor, setCursor] = useState<string>()
  const [q, setQ] = useState('')
  const filter = { id, ...(q.trim() ? { q: q.trim() } : {}) }
  const input = { ...filter, pageSize: SHOWN, ...(cursor ? { cursor } : {}) }
  const { data, error, refetch } = useEndpoint(listMachinesOfUser, input, { errors: 'throw' })
  const { total } = useEndpoint(listMachinesOfUser.count, filter, { errors: 'silent' }).data ?? {}
  const search = (typed: string) => {
    setQ(typed)
    setCursor(undefined)
  }
  const { path, access } = screenOf('shgl/tdjqsq')
  return (
    <div className={styles.parts}>
      <div className={styles.line}>
        <input
          type="search"
          className={styles.search}
          value={q}
          maxLength={64}
          aria-label={t('machines.search')}
          placeholder={t('machines.search')}
          onChange={({ target }) => search(target.value)}
        />
        {can(access) && (
          <Link to={path} search={{ to: `user-${id}` }} className="btn">
            {t('machines.authorise')}
          </Link>
        )}
      </div>
      {!data && (error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />)}
      {data && typeof total === 'number' && <p className="quiet">{t('machines.count', { count: countText(total) })}</p>}
      {data?.items.length === 0 && <p className="quiet">{t('machines.none')}</p>}
      <ul className={styles.rows}>
        {data?.items.map(({ id: machineId, code, name, pointName, reason, via }) => (
          <li key={machineId}>
            <span>
              <ScreenLink screen="shj/wdshj" search={{ code }}>
                {code}
              </ScreenLink>{' '}
              {name} <small className="quiet">{pointName}</small>
            </span>
            <small className="quiet">{[sight(`reason.${reason}`), via].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </ul>
      {data?.nextCursor && (
        <button type="button" className="btn" onClick={() => setCursor(data.nextCursor ?? undefined)}>
          {kit('list.next')}
        </button>
      )}
    </div>
  )
}
