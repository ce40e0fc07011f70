import { findingsOf } from '@aisle/contract/kernel/problems'
import { addFeedback, feedbackKinds } from '@aisle/contract/support/feedback'
import { useId, useState } from 'react'
import { useCommand } from '../../live/query'
import { Dialog } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './feedbackDialog.module.css'
import { classes } from '../../ui/classes'

const MOST = 200
type Said = { kind: (typeof feedbackKinds)[number]; body: string; contact: string; page: string }

/** From wherever somebody is: what is wrong, in a few words; the page goes along. */
export function FeedbackDialog({ page, onClose }: { page: string; onClose: () => void }) {
  const t = useText('support')
  const kernel = useText('kernel')
  const id = useId()
  const [said, setSaid] = useState<Said>({ kind: 'problem', body: '', contact: '', page })
  const [isTried, setTried] = useState(false)
  const command = useCommand(addFeedback, {
    errors: 'throw',
    onSuccess: () => {
      toast('good', t('feedback.done'))
      onClose()
    },
  })
  const issues = addFeedback.input.safeParse(said).error?.issues ?? []
  const [wrong] = issues.flatMap((issue) => findingsOf(issue, said)).filter(({ path }) => path === 'body')
  const fault = isTried && wrong ? kernel.any(`field.${wrong.reason}`, wrong.vars) : undefined
  const send = () => {
    setTried(true)
    if (issues.length === 0 && !command.isPending) command.mutate(said)
  }
  return (
    <Dialog
      title={t('feedback.title')}
      onSubmit={send}
      onCancel={onClose}
      actions={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {kernel('action.cancel')}
          </button>
          <button type="submit" className="btn btn-main" disabled={command.isPending}>
            {t('feedback.send')}
          </button>
        </>
      }
    >
      <Kinds value={said.kind} onChange={(kind) => setSaid({ ...said, kind })} />
      <div className="field">
        <label htmlFor={`${id}-body`}>{t('field.body')}</label>
        <textarea
          id={`${id}-body`}
          rows={5}
          maxLength={MOST}
          value={said.body}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-rule`}
          onChange={(event) => setSaid({ ...said, body: event.target.value })}
        />
        <span id={`${id}-rule`} className={fault ? 'fault' : 'field-rule'}>
          {fault ?? t('rule.body', { left: MOST - said.body.length })}
        </span>
      </div>
      <Contact value={said.contact} onChange={(contact) => setSaid({ ...said, contact })} />
      <p className="field-rule">{t('feedback.page', { page })}</p>
      {command.error && (
        <p className="fault" role="alert">
          {command.error.message}
        </p>
      )}
    </Dialog>
  )
}

function Kinds({ value, onChange }: { value: Said['kind']; onChange: (kind: Said['kind']) => void }) {
  const t = useText('support')
  const name = useId()
  return (
    <fieldset className={styles.kinds}>
      <legend>{t('field.kind')}</legend>
      {feedbackKinds.map((kind) => (
        <label key={kind}>
          <input type="radio" name={name} checked={value === kind} onChange={() => onChange(kind)} />
          {t.any(`kind.${kind}`)}
        </label>
      ))}
    </fieldset>
  )
}

function Contact({ value, onChange }: { value: string; onChange: (contact: string) => void }) {
  const t = useText('support')
  const id = useId()
  return (
    <div className={classes('field', styles.contact)}>
      <label htmlFor={id}>{t('field.contact')}</label>
      <input id={id} maxLength={100} value={value} onChange={(event) => onChange(event.target.value)} />
      <span className="field-rule">{t('rule.contact')}</span>
    </div>
  )
}
