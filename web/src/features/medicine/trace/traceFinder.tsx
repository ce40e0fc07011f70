import { findTrace } from '@aisle/contract/medicine/trace'
import { screenOf } from '@aisle/contract/screens'
import { type SubmitEvent, use, useId, useState } from 'react'
import { z } from 'zod'
import { Failure } from '../../../admin/failure'
import { PartsContext } from '../../../admin/parts'
import { useAddress } from '../../../admin/useAddress'
import { useEndpoint } from '../../../live/query'
import { Hints } from '../../../ui/feedback/hint'
import { useText } from '../../../ui/text'
import { TraceStory, TraceTags } from './traceStory'
import styles from './trace.module.css'

const screen = screenOf('ypgl/yplb')
const shape = { trace: z.string().max(200).optional() }

/** For whoever holds a pack in the hand, several times a day: it is scanned or typed, and its story stands there. */
export function TraceFinder() {
  const t = useText('medicine')
  const title = useText('screens').any(screen.key)
  const { query, show } = useAddress(screen.path, shape)
  const asked = query.trace ?? ''
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {use(PartsContext)}
      <Ask key={asked} asked={asked} onAsk={(trace) => show({ trace })} />
      {asked ? <Answer code={asked} /> : <p className="quiet">{t('trace.find.hint')}</p>}
      <Hints />
    </div>
  )
}

/** A scanner types and presses Enter, so the field is ready for the next one at once. */
function Ask({ asked, onAsk }: { asked: string; onAsk: (code: string) => void }) {
  const t = useText('medicine')
  const id = useId()
  const [typed, setTyped] = useState(asked)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed.trim()) onAsk(typed.trim())
  }
  return (
    <form className={styles.ask} onSubmit={submit} role="search">
      <label htmlFor={id}>{t('field.trace')}</label>
      <input
        id={id}
        className="input-code"
        value={typed}
        maxLength={200}
        autoFocus
        autoComplete="off"
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="btn btn-main">
        {t('trace.find')}
      </button>
    </form>
  )
}

function Answer({ code }: { code: string }) {
  const t = useText('medicine')
  const { data, error, refetch } = useEndpoint(findTrace, { code }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  if (!data.found) {
    return (
      <p role="status" className={styles.none}>
        {t('trace.none', { code })}
      </p>
    )
  }
  return (
    <section className={styles.card} aria-label={data.found.trace}>
      <h2>{data.found.trace}</h2>
      <TraceTags trace={data.found} />
      <TraceStory trace={data.found} />
    </section>
  )
}
