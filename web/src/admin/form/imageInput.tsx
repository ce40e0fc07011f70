import { pictureTypes, uploadPicture } from '@aisle/contract/system/picture'
import { useState } from 'react'
import { useCommand } from '../../live/query'
import { base64Of } from '../../ui/control/files'
import { useText } from '../../ui/text'
import { controlProps, type InputProps } from './input'
import { shrunk } from './shrink'
import styles from './form.module.css'

/** What is sent of a chosen file; null where it can't be made small enough, `left` where the person gave it up. */
type Prepare = (file: File) => Promise<Blob | null | 'left'>

/** Takes a jpg or png, makes it small, uploads it at once and holds its address. */
export function ImageInput(props: InputProps & { longestSide?: number; prepare?: Prepare }) {
  const { value, onChange, isLocked, label, isRequired, longestSide } = props
  const prepare: Prepare = props.prepare ?? ((file) => shrunk(file, longestSide))
  const kit = useText('admin')
  const [fault, setFault] = useState<string | null>(null)
  const upload = useCommand(uploadPicture, { errors: 'throw', onSuccess: ({ url }) => onChange(url) })
  const [isShrinking, setShrinking] = useState(false)
  const isBusy = upload.isPending || isShrinking
  const take = async (file: File | undefined) => {
    if (!file || isBusy) return
    const isPicture = pictureTypes.some((type) => type === file.type)
    setFault(isPicture ? null : kit('form.image.type'))
    if (!isPicture) return
    setShrinking(true)
    const small = await prepare(file)
    setShrinking(false)
    if (small === 'left') return
    if (small) upload.mutate({ dataBase64: base64Of(await small.arrayBuffer()), longestSide })
    else setFault(kit('form.image.size'))
  }
  const address = typeof value === 'string' && value !== '' ? value : null
  const said = fault ?? (upload.error && !upload.error.isShown ? upload.error.message : null)
  return (
    <span className={styles.inputImage}>
      {address && <img src={address} alt={kit('form.image.now', { name: label })} width={96} height={96} />}
      <span>
        <input
          {...controlProps(props)}
          type="file"
          className="hidden-text"
          accept={pictureTypes.join(',')}
          disabled={isLocked || isBusy}
          onChange={({ target }) => {
            void take(target.files?.[0])
            // The same file may be chosen again.
            target.value = ''
          }}
        />
        <label htmlFor={props.id} className="btn" aria-disabled={isLocked || isBusy}>
          <span aria-hidden="true">{kit('form.image.pick')}</span>
        </label>
        {address && !isRequired && !isLocked && (
          <button type="button" className="btn-plain" onClick={() => onChange(null)}>
            {kit('form.image.remove')}
          </button>
        )}
        <small role="status" className={said ? 'fault' : 'field-rule'}>
          {said ?? (isBusy ? kit('form.image.sending') : kit('form.image.rule'))}
        </small>
      </span>
    </span>
  )
}
