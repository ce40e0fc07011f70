import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { CallFailure, FieldFault } from '../../live/failure'
import { useText } from '../../ui/text'
import { kindOfWrite } from './kindOfWrite'

/** What the server refused, in its words; what it says of fields that nobody sees here stands below. */
export function Fault(props: { failure: CallFailure; loose?: readonly FieldFault[]; of?: Endpoint }) {
  const { failure, loose = [], of: endpoint } = props
  const kit = useText('admin')
  if (failure.isShown) return null
  return (
    <div className={failure.code === 'edit.stale' ? 'form-stale' : 'fault'} role="alert">
      {endpoint && failure.code !== 'edit.stale' && <b>{kit(`failed.${kindOfWrite(endpoint)}`)} </b>}
      {failure.message}
      {failure.traceId && failure.status >= 500 && <small> {kit('error.traceId', { traceId: failure.traceId })}</small>}
      {failure.code !== 'request.inUse' && loose.length > 0 && (
        <ul>
          {loose.map(({ path, msg }) => (
            <li key={path}>{msg}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
