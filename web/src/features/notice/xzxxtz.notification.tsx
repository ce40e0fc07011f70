import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { addNotification, getNotificationChoices, listNotifications } from '@aisle/contract/notice/notice'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../admin/failure'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { type Draft, emptyDraft, inputOf } from './draft'
import { faultsIn, faultsOf } from './faults'
import styles from './formParts.module.css'
import { NotificationHow, NotificationWhen } from './notificationHow'
import { NotificationTarget } from './notificationTarget'
import { NotificationWords } from './notificationWords'
import { classes } from '../../ui/classes'

/** For whoever writes to merchants: written once, checked before it goes, with the number of people it reaches. */
export default function AddNotification() {
  const choices = useEndpoint(getNotificationChoices, {}, { errors: 'throw' })
  if (choices.error) return <Failure failure={choices.error} retry={() => void choices.refetch()} />
  return choices.data ? <NotificationForm choices={choices.data} /> : null
}

function NotificationForm({ choices }: { choices: OutputOf<typeof getNotificationChoices> }) {
  const t = useText('notice')
  const title = useText('screens').any('xtgl/xzxxtz')
  const { part, send, failure, isPending } = useDraft(choices.types[0]?.id ?? 0)
  return (
    <form
      className={classes(styles.messagePage, styles.messageForm)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <header>
        <h1>{title}</h1>
      </header>
      <NotificationWords {...part} />
      <NotificationHow {...part} types={choices.types} />
      <NotificationTarget {...part} roles={choices.roles} merchants={choices.merchants} />
      <NotificationWhen {...part} />
      {failure && (
        <p className="fault" role="alert">
          {failure.message}
        </p>
      )}
      <div className={styles.formActions}>
        <button type="submit" className="btn btn-main" disabled={isPending}>
          {t.any(`notification.submit.${part.draft.send}`)}
        </button>
      </div>
    </form>
  )
}

/** Keeps what was typed whatever the call answers; what is wrong is said once somebody has tried. */
function useDraft(typeId: number) {
  const t = useText('notice')
  const kernel = useText('kernel')
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => emptyDraft(typeId))
  const [isTried, setTried] = useState(false)
  const command = useCommand(addNotification, {
    errors: 'throw',
    onSuccess: async ({ id, expected }) => {
      toast('good', t.any(`notification.done.${draft.send}`, { expected }))
      await refetch(listNotifications)
      void navigate({ href: `${screenOf('xtgl/xxtz').path}?open=${id}` })
    },
  })
  const asked = inputOf(draft)
  const own = isTried ? faultsOf(addNotification, asked, t, kernel) : {}
  const change = (part: Partial<Draft>) => {
    command.reset()
    setDraft({ ...draft, ...part })
  }
  const send = () => {
    setTried(true)
    if (addNotification.input.safeParse(asked).success && !command.isPending) command.mutate(asked)
  }
  const faults = { ...faultsIn(command.error), ...own }
  return { part: { draft, change, faults }, send, failure: command.error, isPending: command.isPending }
}
