import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Icon, type IconName } from '../icons'
import { currentNotices, dismiss, hold, resume, subscribeNotices, type Toast, type Tone } from './notice'
import styles from './notices.module.css'
import { useText } from '../text'
import { classes } from '../classes'

const icons: Record<Tone, IconName> = { good: 'check', bad: 'alert', info: 'info' }

/** Mounted once, by the entry, above whatever stage is shown. */
export function Notices() {
  const t = useText('kernel')
  const { toasts, question } = useSyncExternalStore(subscribeNotices, currentNotices)
  const stack = useRef<HTMLElement>(null)
  const newest = toasts.at(-1)?.id
  useEffect(() => bringToTop(stack.current, newest !== undefined), [newest])
  return (
    <>
      <section ref={stack} popover="manual" className={styles.toasts} aria-label={t('notice.label')} aria-live="polite">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </section>
      {question && <QuestionDialog key={question.key} question={question} />}
    </>
  )
}

/** Above an open dialog too: what was shown last is the highest of the browser's top layer. */
function bringToTop(stack: HTMLElement | null, isNeeded: boolean): void {
  if (stack?.matches(':popover-open')) stack.hidePopover()
  if (isNeeded) stack?.showPopover()
}

function ToastCard({ toast }: { toast: Toast }) {
  const t = useText('kernel')
  const { id, tone } = toast
  const isKept = 'Body' in toast
  return (
    <div
      className={classes(styles.toast, styles[`toast-${tone}`])}
      role={tone === 'bad' ? 'alert' : 'status'}
      onPointerEnter={() => hold(id)}
      onPointerLeave={() => isKept || resume(id)}
      onFocus={() => hold(id)}
      onBlur={() => isKept || resume(id)}
    >
      <Icon name={icons[tone]} />
      {'Body' in toast ? (
        <toast.Body close={() => dismiss(id)} />
      ) : (
        <p>
          {toast.text}
          {toast.detail && <small> {toast.detail}</small>}
        </p>
      )}
      <button type="button" className="icon-btn" aria-label={t('action.close')} onClick={() => dismiss(id)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

type Asked = NonNullable<ReturnType<typeof currentNotices>['question']>

function QuestionDialog({ question }: { question: Asked }) {
  const isDangerous = question.tone === 'danger'
  const dialog = useRef<HTMLDialogElement>(null)
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    if (!isDangerous) yes.current?.focus()
  }, [isDangerous])
  return (
    <dialog
      ref={dialog}
      className={styles.question}
      role="alertdialog"
      aria-labelledby="question-title"
      aria-describedby="question-body"
      onCancel={() => question.answer(false)}
    >
      <h2 id="question-title">{question.title}</h2>
      <p id="question-body">{question.body}</p>
      <div className={styles.questionActions}>
        <button type="button" className="btn" onClick={() => question.answer(false)}>
          {question.no}
        </button>
        <button
          ref={yes}
          type="button"
          className={isDangerous ? 'btn btn-danger' : 'btn btn-main'}
          onClick={() => question.answer(true)}
        >
          {question.yes}
        </button>
      </div>
    </dialog>
  )
}
