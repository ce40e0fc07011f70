import { listMachinesOfUser } from '@aisle/contract/sight/why'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { can } from '../../live/session'
import { useEndpoint } from '../../live/query'
import { ShortList } from '../../ui/shortList'
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
      {data && (
        <ShortList
          rows={data.items}
          none={t('machines.none')}
          says={({ code, name, pointName }) => (
            <>
              <ScreenLink screen="shj/wdshj" search={{ code }}>
                {code}
              </ScreenLink>{' '}
              {name} <small className="quiet">{pointName}</small>
            </>
          )}
          ends={({ reason, via }) => (
            <small className="quiet">{[sight(`reason.${reason}`), via].filter(Boolean).join(' · ')}</small>
          )}
        />
      )}
      {data?.nextCursor && (
        <button type="button" className="btn" onClick={() => setCursor(data.nextCursor ?? undefined)}>
          {kit('list.next')}
        </button>
      )}
    </div>
  )
}
