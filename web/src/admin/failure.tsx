import type { CallFailure } from '../live/failure'
import { Empty } from '../ui/feedback/empty'
import { useText } from '../ui/text'

/** A reading that failed: what happened, that nothing was changed, what to do, and the number to quote. */
export function Failure({ failure, retry }: { failure: CallFailure; retry: () => void }) {
  const t = useText('admin')
  const kernel = useText('kernel')
  // The words of a bug name the request already.
  const isNamed = failure.message.includes(failure.traceId)
  const number = isNamed ? '' : t('error.traceId', { traceId: failure.traceId })
  const isGone = failure.code === 'request.notFound'
  return (
    <div role="alert">
      <Empty
        icon="alert"
        title={isGone ? t('error.gone') : t('error.title')}
        text={isGone ? undefined : failure.message}
        small={[isGone ? '' : t('error.readOnly'), number].join(' ')}
      >
        {!isGone && (
          <button type="button" className="btn" onClick={retry}>
            {kernel('action.retry')}
          </button>
        )}
      </Empty>
    </div>
  )
}
