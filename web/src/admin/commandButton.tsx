import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { refetch, useCommand } from '../live/query'
import { can } from '../live/session'
import { toast } from '../ui/feedback/notice'
import type { Vars } from '../ui/text'
import { FormDialog } from './form/formDialog'
import { type FormShape, namesIn, type WriteEndpoint } from './form/useForm'
import type { Values } from './form/schema'

/**
 * A verb of the trade. Its words are in the catalog of its domain: `verb.<name>`, `.ask` (what will happen, to what),
 * `.done`, and `.not` for why it is greyed. Hidden only from those who may not. What the endpoint takes beyond the
 * target is asked for in a dialog; creating and editing are verbs with more fields.
 */
export function CommandButton<E extends WriteEndpoint>(
  props: FormShape & {
    endpoint: E
    /** The name in the catalog, as in `verb.stopSale`. */
    verb: string
    /** What the person need not type: the id of the thing, the `version` that was read. */
    target?: Values
    /** For the sentences: code and name of the thing. */
    vars?: Vars
    /** What the fields hold when the dialog opens. */
    initial?: Values
    isEnabled?: boolean
    /** Of the button that sends it; the one that opens the question is quiet, unless it is the page's main action. */
    tone?: 'main' | 'danger'
    /** Read again afterwards, since they show what the verb changes. */
    changes: readonly Endpoint[]
    onDone?: (output: OutputOf<E>) => void
  },
) {
  const { endpoint, verb, target = {}, vars, initial, isEnabled = true, tone, changes, onDone, ...shape } = props
  const { t } = shape
  const [isAsking, setAsking] = useState(false)
  const words = `verb.${verb}`
  const spec = { ...shape, endpoint, target, ...(initial ? { initial } : {}) }
  const isAsked = namesIn(spec).length > 0 || t.has(`${words}.ask`)
  const saved = async (output: OutputOf<E>) => {
    setAsking(false)
    if (onDone) onDone(output)
    else toast('good', t.any(`${words}.done`, vars))
    await refetch(...changes)
  }
  const command = useCommand(endpoint, { onSuccess: saved })
  if (!can(endpoint.access)) return null
  const start = () => (isAsked ? setAsking(true) : command.mutate(target as CallOf<E>))
  const why = isEnabled ? undefined : t.any(`${words}.not`, vars)
  return (
    <>
      <button
        type="button"
        className={tone === 'main' && isEnabled ? 'btn btn-main' : 'btn'}
        aria-disabled={!isEnabled || command.isPending}
        data-hint={why}
        onClick={() => isEnabled && !command.isPending && start()}
      >
        {t.any(words)}
        {why && <small> · {why}</small>}
      </button>
      {isAsking && (
        <FormDialog
          title={t.any(words)}
          sentence={t.has(`${words}.ask`) ? t.any(`${words}.ask`, vars) : undefined}
          spec={spec}
          tone={tone}
          onSaved={saved}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
