import { CopyButton } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { useText } from '../../ui/text'

/** A new secret, this once; only saying that it was saved closes it. */
export function SecretOnce(props: {
  code: string
  secret: string
  /** Where to put it; into the machine where it is left out. */
  about?: string
  onClose: () => void
}) {
  const { code, secret, about, onClose } = props
  const t = useText('fleet')
  return (
    <Dialog
      title={t('secret.title', { code })}
      onSubmit={onClose}
      actions={
        <button type="submit" className="btn btn-main">
          {t('secret.saved')}
        </button>
      }
    >
      <p>{about ?? t('secret.once')}</p>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </Dialog>
  )
}
