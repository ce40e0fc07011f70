import type { ReactNode } from 'react'
import type { CallFailure } from '../../live/failure'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import styles from './formParts.module.css'

/** A dialog that saves: its fields, what the call refused as a whole, and the two ways out. */
export function EditDialog(props: {
  title: string
  failure: CallFailure | null
  isPending: boolean
  onSave: () => void
  onClose: () => void
  /** Of the button that saves, where it does something else. */
  save?: string
  more?: ReactNode
  children: ReactNode
}) {
  const { title, failure, isPending, onSave, onClose, save, more, children } = props
  const t = useText('notice')
  return (
    <Dialog
      title={title}
      onSubmit={onSave}
      onCancel={onClose}
      actions={
        <>
          {more}
          <DialogButtons onCancel={onClose} send={save ?? t('action.save')} isBusy={isPending} />
        </>
      }
    >
      <div className={styles.messageForm}>
        {children}
        {failure && (
          <p className="fault" role="alert">
            {failure.message}
          </p>
        )}
      </div>
    </Dialog>
  )
}
