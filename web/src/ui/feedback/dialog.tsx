import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../text'
import styles from './dialog.module.css'

/**
 * A question with a small form, above everything; Enter sends it, in a longer text with Ctrl or ⌘; Escape and the
 * first button leave it. It stands apart from where it was asked: that may be a form, and forms can't hold forms.
 */
export function Dialog(props: {
  title: string
  children: ReactNode
  actions: ReactNode
  onSubmit: () => void
  /** For a form of two columns. */
  isWide?: boolean
  /** Of much that is typed in standing: on a phone it takes the whole window. */
  isWhole?: boolean
  /** Left out where only an answer may end it, for instance a secret that is shown once. */
  onCancel?: () => void
}) {
  const { title, children, actions, onSubmit, isWide = false, isWhole = false, onCancel } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
    // Else the first thing that takes the focus has it, a list as much as a field.
    dialog.current?.querySelector<HTMLElement>('[data-begin]')?.focus({ preventScroll: true })
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    onSubmit()
  }
  return createPortal(
    <dialog
      ref={dialog}
      data-part="dialog"
      className={styles.dialog}
      data-wide={isWide || undefined}
      data-whole={isWhole || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onCancel?.()
      }}
    >
      <form onSubmit={submit} onKeyDown={sendFromText} noValidate>
        <h2 id={id}>{title}</h2>
        {children}
        <div data-part="dialog-actions" className={styles.actions}>
          {actions}
        </div>
      </form>
    </dialog>,
    document.body,
  )
}

/** To leave a dialog, and to send it. */
export function DialogButtons(props: {
  onCancel: () => void
  /** What sending does, in the words of the button; nothing of it is left once it is done. */
  send: ReactNode
  tone?: 'main' | 'danger'
  isBusy?: boolean
  /** What is not ready yet is greyed and keeps the focus; who takes the form says what is missing. */
  isReady?: boolean
  isOver?: boolean
}) {
  const { onCancel, send, tone = 'main', isBusy = false, isReady = true, isOver = false } = props
  const t = useText('kernel')
  return (
    <>
      <button type="button" className="btn" onClick={onCancel}>
        {t(isOver ? 'action.close' : 'action.cancel')}
      </button>
      {!isOver && (
        <button type="submit" className={`btn btn-${tone}`} disabled={isBusy} aria-disabled={!isReady || undefined}>
          {send}
        </button>
      )}
    </>
  )
}

function sendFromText(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  event.preventDefault()
  // As a press of the button would, which may be off.
  event.currentTarget.querySelector<HTMLButtonElement>('[data-part~=dialog-actions] [type=submit]')?.click()
}
