import { listReceivers, readStates } from '@aisle/contract/notice/notice'
import { useState } from 'react'
import { Ago } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { ChoiceInput } from '../../ui/control/filters'
import { useText } from '../../ui/text'
import styles from './formParts.module.css'
import notificationStyles from './notification.module.css'

/** Who got a notice, fifty at a time; who has not read it can be picked out. */
export function Receivers({ id }: { id: number }) {
  const t = useText('notice')
  const kit = useText('admin')
  const [read, setRead] = useState('')
  const [starts, setStarts] = useState<readonly number[]>([0])
  const after = starts.at(-1) ?? 0
  const state = readStates.find((each) => each === read)
  const { data } = useEndpoint(listReceivers, { id, after, ...(state ? { read: state } : {}) }, { errors: 'toast' })
  const pick = (value: string) => {
    setRead(value)
    setStarts([0])
  }
  const next = data?.nextAfter
  return (
    <div>
      <ChoiceInput
        label={t('field.read')}
        value={read}
        all={kit('filter.all')}
        options={readStates.map((value) => ({ value, word: t.any(`read.${value}`) }))}
        onChange={pick}
      />
      {data?.items.length === 0 && <p className={styles.formNote}>{t('receivers.none')}</p>}
      <ul className={notificationStyles.receivers}>
        {data?.items.map((each) => (
          <li key={each.id}>
            <span>
              {each.name} <small>{each.merchantName}</small>
            </span>
            <small>
              {each.readAt ? t('read.read') : t('read.unread')} <Ago at={each.readAt ?? each.sentAt} />
              {each.reminders > 0 && ` · ${t('receivers.reminded', { count: each.reminders })}`}
            </small>
          </li>
        ))}
      </ul>
      <div className={styles.formActions}>
        {starts.length > 1 && (
          <button type="button" className="btn" onClick={() => setStarts(starts.slice(0, -1))}>
            {t('action.back')}
          </button>
        )}
        {next && (
          <button type="button" className="btn" onClick={() => setStarts([...starts, next])}>
            {t('action.more')}
          </button>
        )}
      </div>
    </div>
  )
}
