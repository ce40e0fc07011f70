import { useText } from '../../ui/text'
import { Controls } from './controls'
import styles from './board.module.css'

/** A board that may not be shown says who can change that, and where; it tries again by itself. */
export function Closed({ code, isUnattended, onRetry }: { code: string; isUnattended: boolean; onRetry: () => void }) {
  const t = useText('wallboard')
  const isKeyWrong = code === 'wallboard.keyInvalid'
  return (
    <main className={styles.closed}>
      <Controls isUnattended={isUnattended} />
      <section>
        <h1>{t(isKeyWrong ? 'closed.keyTitle' : 'closed.title')}</h1>
        {isKeyWrong && <p className={styles.closedReason}>{t('refusal.wallboard.keyInvalid')}</p>}
        <p>{t('closed.how')}</p>
        <ol>
          <li>{t('closed.open')}</li>
          <li>
            {t('closed.key')}
            <code>{`${location.origin}${location.pathname}?key=${t('closed.keySample')}`}</code>
          </li>
        </ol>
        <p className={styles.closedAuto}>{t('closed.auto')}</p>
        <button type="button" data-part="wall-btn" className={styles.btn} onClick={onRetry}>
          {t('closed.retry')}
        </button>
      </section>
    </main>
  )
}
