import { CopyButton } from '../../ui/copy'
import { useText } from '../../ui/text'
import './factor.css'

/** Shown once: whoever loses the telephone comes in with one of them. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useText('identity')
  return (
    <section className="recovery" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{t('recovery.title')}</h2>
      <p>{t('recovery.body')}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-actions">
        <CopyButton text={codes.join('\n')} />
        <button type="button" className="btn btn-main" onClick={onKept}>
          {t('recovery.kept')}
        </button>
      </div>
    </section>
  )
}
