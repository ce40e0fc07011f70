import { listHelp } from '@aisle/contract/support/faq'
import { useDeferredValue, useState } from 'react'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './feedbackDialog.module.css'

/** What is published of questions, found by words and pinyin, before somebody asks again. */
export function HelpList() {
  const t = useText('support')
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const { data } = useEndpoint(listHelp, { pageSize: 50, ...(q ? { q } : {}) }, { errors: 'toast' })
  return (
    <div className={styles.own}>
      <input
        type="search"
        className={styles.search}
        aria-label={t('help.search')}
        placeholder={t('help.search')}
        maxLength={64}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {data?.items.length === 0 && <p className="quiet">{t(q ? 'help.notFound' : 'help.none')}</p>}
      {data?.items.map(({ id, topic, language, question, answer }) => (
        <details key={id} className={styles.one} lang={language}>
          <summary>
            <b>{question}</b>
            <small className="quiet">{t(`topic.${topic}`)}</small>
          </summary>
          <p className={styles.answer}>{answer}</p>
        </details>
      ))}
    </div>
  )
}
