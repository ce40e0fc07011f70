import {
  grantCalls,
  type GrantLogEntry,
  listGrantLogMachines,
  listMerchantGrantLog,
} from '@aisle/contract/sight/authorisation'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Tag } from '../../ui/tag'
import { KeyPager } from '../../shelf/keyPager'
import { type Text, useText } from '../../ui/text'
import { dayText } from './grantDay'
import type { Target } from './grantTarget'
import styles from './grant.module.css'

const SHOWN = 50

/** Who gave and took what: for whoever asks "since when, and by whom?". */
export function GrantHistory({ target }: { target: Target }) {
  const t = useText('sight')
  const { history } = grantCalls[target.kind]
  const [cursor, setCursor] = useState<string>()
  const input = { id: target.id, pageSize: SHOWN, ...(cursor ? { cursor } : {}) }
  const { data, error, refetch } = useEndpoint(history as typeof listMerchantGrantLog, input, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  if (data.items.length === 0) return <Empty icon="receipt" title={t('history.none')} text={t('history.none.hint')} />
  return (
    <>
      <ol data-part="grant-log" className={styles.log}>
        {data.items.map((entry) => (
          <Entry key={entry.id} entry={entry} t={t} />
        ))}
      </ol>
      <KeyPager cursor={cursor} next={data.nextCursor} turn={setCursor} />
    </>
  )
}

function Entry({ entry, t }: { entry: GrantLogEntry; t: Text<'sight'> }) {
  const [isOpen, setOpen] = useState(false)
  const { at, action, byName, count, endsAt } = entry
  const tone = action === 'grant' ? 'good' : 'warn'
  return (
    <li>
      <div className={styles.logLine}>
        <Tag tone={tone} word={t(`history.${action}`)} />
        <button type="button" className="btn-plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('history.machines', { count: countText(count) })}
        </button>
        {endsAt && <span>{t('state.until', { day: dayText(endsAt) })}</span>}
        <span className="quiet">
          {byName ?? t('history.above')} · <Ago at={at} />
        </span>
      </div>
      {isOpen && <Which id={entry.id} count={count} t={t} />}
    </li>
  )
}

function Which({ id, count, t }: { id: number; count: number; t: Text<'sight'> }) {
  const { data } = useEndpoint(listGrantLogMachines, { id, pageSize: 200 })
  if (!data) return <div className="bone" />
  const rest = count - data.items.length
  return (
    <ul className={styles.codes}>
      {data.items.map(({ id: machineId, code, name }) => (
        <li key={machineId} title={name}>
          <code>{code}</code>
        </li>
      ))}
      {rest > 0 && <li className="quiet">{t('history.more', { count: countText(rest) })}</li>}
    </ul>
  )
}
