import { feedbackFields, listOwnFeedback, replyFeedback } from '@aisle/contract/support/feedback'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { call } from '../../live/call'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { Conversation } from '../../shelf/conversation'
import { useText } from '../../ui/text'
import styles from './feedbackDialog.module.css'

type Page = OutputOf<typeof listOwnFeedback>
type Own = Page['items'][number]

/** What the person has told support, what was answered, and their reply to it. */
export function OwnFeedback() {
  const t = useText('support')
  const { data } = useEndpoint(listOwnFeedback, {}, { errors: 'toast' })
  const [older, setOlder] = useState<Page | null>(null)
  const next = (older ?? data)?.nextCursor
  const more = async (cursor: string) => {
    const found = await call(listOwnFeedback, { cursor })
    setOlder({ ...found, items: [...(older?.items ?? []), ...found.items] })
  }
  if (!data) return null
  if (data.items.length === 0) return <p className="quiet">{t('own.none')}</p>
  return (
    <div className={styles.own}>
      {[...data.items, ...(older?.items ?? [])].map((own) => (
        <One key={own.id} own={own} />
      ))}
      {next && (
        <button type="button" className="btn" onClick={() => void more(next)}>
          {t('own.older')}
        </button>
      )}
    </div>
  )
}

function One({ own: { id, body, state, createdAt, words } }: { own: Own }) {
  const t = useText('support')
  return (
    <details className={styles.one}>
      <summary>
        <span>{body}</span>
        <span className="tags">
          <StateCell value={state} field={feedbackFields.state} t={t} />
          <small className="quiet">
            <Ago at={createdAt} />
          </small>
        </span>
      </summary>
      <Conversation words={words} />
      <Reply id={id} />
    </details>
  )
}

function Reply({ id }: { id: number }) {
  const t = useText('support')
  const [body, setBody] = useState('')
  const command = useCommand(replyFeedback, {
    onSuccess: async () => {
      setBody('')
      await refetch(listOwnFeedback)
    },
  })
  return (
    <div className={styles.reply}>
      <textarea
        aria-label={t('own.reply')}
        placeholder={t('own.reply')}
        rows={2}
        maxLength={1000}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <button
        type="button"
        className="btn"
        disabled={body.trim().length < 2 || command.isPending}
        onClick={() => command.mutate({ id, body })}
      >
        {t('own.send')}
      </button>
    </div>
  )
}
