import { CopyButton } from '../control/copy'
import { Dialog } from './dialog'
import styles from './secretOnce.module.css'
import { QrCode } from '../qrCode'
import { useText } from '../text'

/** A new secret, this once; only saying that it was saved closes it. */
export function SecretOnce(props: {
  title: string
  /** Where it goes, and that it is not shown again. */
  about: string
  secret: string
  /** What a reader takes in place of typing. */
  qr?: string
  onClose: () => void
}) {
  const { title, about, secret, qr, onClose } = props
  const kit = useText('admin')
  return (
    <Dialog
      title={title}
      onSubmit={onClose}
      actions={
        <button type="submit" className="btn btn-main">
          {kit('secret.saved')}
        </button>
      }
    >
      <p>{about}</p>
      <div className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
      {qr && <QrCode text={qr} label={kit('secret.qr')} className={styles.qr} />}
    </Dialog>
  )
}
