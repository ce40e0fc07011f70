import { findingsOf } from '@aisle/contract/kernel/problems'
import { addFeedback, feedbackKinds, listOwnFeedback } from '@aisle/contract/support/feedback'
import { useId, useState } from 'react'
import { momentText } from '../../ui/timeText'
import { refetch, useCommand } from '../../live/query'
import { Tabs } from '../../ui/control/tabs'
import { Dialog } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { currentLocale, useText } from '../../ui/text'
import { HelpList } from './helpList'
import { OwnFeedback } from './ownFeedback'
import type { whatIsSeen } from './seen'
import styles from './feedbackDialog.module.css'
import { classes } from '../../ui/classes'

const MOST = 200
type Place = { page: string; seen: ReturnType<typeof whatIsSeen> }
type Said = Place & { kind: (typeof feedbackKinds)[number]; body: string; contact: string }

/** From wherever somebody is: what is wrong, in a few words; the page goes along. Beside it, what was answered. */
export function FeedbackDialog(props: { place: Place; begin: 'tell' | 'help'; onClose: () => void }) {
  const { place, begin, onClose } = props
  const t = useText('support')
  const kernel = useText('kernel')
  const [said, setSaid] = useState<Said>({ kind: 'problem', body: '', contact: '', page: place.page, seen: place.seen })
  const [tab, setTab] = useState<string>(begin)
  const [isTried, setTried] = useState(false)
  const command = useCommand(addFeedback, {
    errors: 'throw',
    onSuccess: async ({ dueAt }) => {
      const at = momentText(dueAt, currentLocale())
      toast('good', t('feedback.done', { at }))
      onClose()
      await refetch(listOwnFeedback)
    },
  })
  const issues = addFeedback.input.safeParse(said).error?.issues ?? []
  const [wrong] = issues.flatMap((issue) => findingsOf(issue, said)).filter(({ path }) => path === 'body')
  const why =
    wrong && !said.body.trim() ? t('feedback.empty') : wrong && kernel.any(`field.${wrong.reason}`, wrong.vars)
  const fault = isTried ? why : undefined
  const send = () => {
    setTried(true)
    if (tab === 'tell' && issues.length === 0 && !command.isPending) command.mutate(said)
  }
  const tell = (
    <div className={styles.tell}>
      <Kinds value={said.kind} onChange={(kind) => setSaid({ ...said, kind })} />
      <Words value={said.body} fault={fault} onChange={(body) => setSaid({ ...said, body })} />
      <Contact value={said.contact} onChange={(contact) => setSaid({ ...said, contact })} />
      <p className="field-rule">{t('feedback.page', { page: place.seen.heading || place.page })}</p>
      {command.error && (
        <p className="fault" role="alert">
          {command.error.message}
        </p>
      )}
    </div>
  )
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
          {tab === 'tell' && (
            <button type="submit" className="btn btn-main" disabled={command.isPending}>
              {t('feedback.send')}
            </button>
          )}
        </>
      }
    >
      <Tabs
        label={t('feedback.title')}
        current={tab}
        onPick={setTab}
        tabs={[
          { key: 'tell', label: t('feedback.tell'), panel: tell },
          { key: 'help', label: t('help.title'), panel: <HelpList /> },
          { key: 'own', label: t('feedback.own'), panel: <OwnFeedback /> },
        ]}
      />
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

function Words(props: { value: string; fault: string | undefined; onChange: (body: string) => void }) {
  const { value, fault, onChange } = props
  const t = useText('support')
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={`${id}-body`}>{t('feedback.words')}</label>
      <textarea
        id={`${id}-body`}
        rows={5}
        maxLength={MOST}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-rule`}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-rule`} className={fault ? 'fault' : 'field-rule'}>
        {fault ?? t('feedback.rule', { left: MOST - value.length })}
      </span>
    </div>
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
