import { CopyButton } from '../ui/control/copy'
import { Dialog } from '../ui/feedback/dialog'
import dialogStyles from '../ui/feedback/dialog.module.css'

/** A secret that can't be shown again: only the word that it is kept closes it. */
export function SecretOnce(props: {
  title: string
  sentence: string
  saved: string
  secret: string
  onClose: () => void
}) {
  const { title, sentence, saved, secret, onClose } = props
  return (
    <Dialog
      title={title}
      onSubmit={onClose}
      actions={
        <button type="submit" className="btn btn-main">
          {saved}
        </button>
      }
    >
      <div className={dialogStyles.once}>
        <p>{sentence}</p>
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  )
}
