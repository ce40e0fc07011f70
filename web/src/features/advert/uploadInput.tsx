import { beginUpload, mediaTypes, sendPart, UPLOAD_PART_BYTES } from '@aisle/contract/advert/creative'
import { useState } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import { call } from '../../live/call'
import { CallFailure } from '../../live/failure'
import { base64Of } from '../../ui/control/files'
import { useText } from '../../ui/text'
import styles from './advert.module.css'

const MEGABYTE = 1024 * 1024
export const sizeText = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes < MEGABYTE ? 2 : 1)} MB`

/** So often a part is sent again before the person is told. */
const TRIES = 4
const REST_MS = 1_500

/** Announces the file, sends it part by part, and holds the upload's number; a line that was cut goes on. */
export function UploadInput(props: InputProps) {
  const { value, onChange, isLocked } = props
  const t = useText('advert')
  const [sent, setSent] = useState<{ name: string; percent: number } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const isBusy = sent !== null && sent.percent < 100
  const take = async (file: File | undefined) => {
    if (!file || isBusy) return
    setFault(null)
    onChange(null)
    setSent({ name: file.name, percent: 0 })
    try {
      const id = await send(file, (percent) => setSent({ name: file.name, percent }))
      setSent({ name: file.name, percent: 100 })
      onChange(id)
    } catch (thrown) {
      setSent(null)
      setFault(thrown instanceof CallFailure && thrown.status > 0 ? thrown.message : t('upload.broken'))
    }
  }
  return (
    <span>
      <input
        {...controlProps(props)}
        type="file"
        className="hidden-text"
        accept={mediaTypes.join(',')}
        required={false}
        disabled={isLocked || isBusy}
        onChange={({ target }) => {
          void take(target.files?.[0])
          // The same file may be chosen again.
          target.value = ''
        }}
      />
      <label htmlFor={props.id} className="btn" aria-disabled={isLocked || isBusy}>
        <span aria-hidden="true">{t(typeof value === 'number' ? 'upload.other' : 'upload.choose')}</span>
      </label>
      {isBusy && <progress className={styles.progress} value={sent.percent} max={100} aria-label={sent.name} />}
      <small role="status" className={fault ? 'fault' : 'field-rule'}>
        {fault ?? saidOf(sent, t)}
      </small>
    </span>
  )
}

function saidOf(sent: { name: string; percent: number } | null, t: ReturnType<typeof useText<'advert'>>): string {
  if (!sent) return t('upload.limits')
  return sent.percent < 100 ? t('upload.sending', { percent: sent.percent }) : t('upload.sent', { name: sent.name })
}

async function send(file: File, tell: (percent: number) => void): Promise<number> {
  const { id } = await call(beginUpload, { bytes: file.size }, { errors: 'throw' })
  for (let at = 0; at < file.size; ) {
    const part = await file.slice(at, at + UPLOAD_PART_BYTES).arrayBuffer()
    at = (await trying(() => call(sendPart, { id, at, dataBase64: base64Of(part) }, { errors: 'throw' }))).received
    tell(Math.floor((at / file.size) * 100))
  }
  return id
}

/** Sent twice it counts once. What the server refuses is not tried again. */
async function trying<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const isRefused = thrown instanceof CallFailure && thrown.status >= 400 && thrown.status < 500
    if (isRefused || tries <= 1) throw thrown
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    return trying(work, tries - 1)
  }
}
