import type { CallFailure } from '../live/failure'
import { useText } from '../ui/text'

/** The first call of all did not come through: nothing can be shown, but everything can be tried again. */
export function StartFailed({ failure }: { failure: CallFailure }) {
  const t = useText('kernel')
  return (
    <main className="start-failed">
      <h1>{t('error.startTitle')}</h1>
      <p>{failure.message}</p>
      <button type="button" className="btn btn-main" onClick={() => location.reload()}>
        {t('action.retry')}
      </button>
    </main>
  )
}
