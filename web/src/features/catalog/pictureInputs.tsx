import { MAX_PICTURE_BYTES } from '@aisle/contract/system/picture'
import { useState } from 'react'
import { ImageInput } from '../../admin/form/imageInput'
import type { InputProps } from '../../admin/form/input'
import { ScansInput } from '../../shelf/scansInput'
import { CropDialog } from './cropDialog'

type Asked = { picture: ImageBitmap; answer: (part: Blob | null | 'left') => void }

/** A picture of a product: cut to the shape of a machine's screen before it is sent. */
export function PictureInput(props: InputProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const askFor = async (file: File) => {
    const picture = await createImageBitmap(file).catch(() => null)
    // What no browser can draw is no picture, whatever its name: the server says so.
    if (!picture) return file.size <= MAX_PICTURE_BYTES ? file : null
    return new Promise<Blob | null | 'left'>((answer) => setAsked({ picture, answer }))
  }
  const close = (part: Blob | null | 'left') => {
    asked?.answer(part)
    asked?.picture.close()
    setAsked(null)
  }
  return (
    <>
      <ImageInput {...props} prepare={askFor} />
      {asked && <CropDialog picture={asked.picture} onCut={close} onClose={() => close('left')} />}
    </>
  )
}

export const PicturesInput = (props: InputProps) => <ScansInput {...props} Input={PictureInput} />
