import { MAX_PICTURE_BYTES, pictureTypes, uploadPicture } from '@aisle/contract/system/picture'
import { useState } from 'react'
import { useCommand } from '../../live/query'
import { useText } from '../../ui/text'
import { controlProps, type InputProps } from './input'

/** Takes a jpg or png, uploads it at once and holds its address. */
export function ImageInput(props: InputProps & { longestSide?: number }) {
  const { value, onChange, isLocked, label, isRequired, longestSide } = props
  const kit = useText('admin')
  const [fault, setFault] = useState<string | null>(null)
  const upload = useCommand(uploadPicture, { errors: 'throw', onSuccess: ({ url }) => onChange(url) })
  const take = async (file: File | undefined) => {
    if (!file) return
    const isPicture = pictureTypes.some((type) => type === file.type)
    const wrong = !isPicture ? kit('form.image.type') : file.size > MAX_PICTURE_BYTES ? kit('form.image.size') : null
    setFault(wrong)
    if (wrong === null) upload.mutate({ dataBase64: await base64Of(file), longestSide })
  }
  const address = typeof value === 'string' && value !== '' ? value : null
  const said = fault ?? (upload.error && !upload.error.isShown ? upload.error.message : null)
  return (
    <span className="input-image">
      {address && <img src={address} alt={kit('form.image.now', { name: label })} width={96} height={96} />}
      <span>
        <input
          {...controlProps(props)}
          type="file"
          className="hidden-text"
          accept={pictureTypes.join(',')}
          disabled={isLocked || upload.isPending}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <label htmlFor={props.id} className="btn" aria-disabled={isLocked || upload.isPending}>
          <span aria-hidden="true">{kit('form.image.pick')}</span>
        </label>
        {address && !isRequired && !isLocked && (
          <button type="button" className="btn-plain" onClick={() => onChange(null)}>
            {kit('form.image.remove')}
          </button>
        )}
        <small role="status" className={said ? 'fault' : 'field-rule'}>
          {said ?? (upload.isPending ? kit('form.image.sending') : kit('form.image.rule'))}
        </small>
      </span>
    </span>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

/** As many arguments as any engine takes. */
const CHUNK = 8_192
