import { CopyButton } from '../../../ui/control/copy'
import { useText } from '../../../ui/text'
import styles from './factor.module.css'

/** Shown once: whoever loses the telephone comes in with one of them. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useText('identity')
  return (
    <section className={styles.recovery} aria-labelledby="recovery-title">
      <h2 id="recovery-title">{t('recovery.title')}</h2>
      <p>{t('recovery.body')}</p>
      <ul className={styles.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.recoveryActions}>
        <CopyButton text={codes.join('\n')} />
        <button type="button" className="btn btn-main" onClick={onKept}>
          {t('recovery.kept')}
        </button>
      </div>
    </section>
  )
}
