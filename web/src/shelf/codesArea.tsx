import { linesIn } from '@aisle/contract/medicine/traceCode'
import { type TextareaHTMLAttributes, useState } from 'react'
import { Camera } from '../ui/control/camera'
import { useText } from '../ui/text'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  codes: readonly string[]
  onCodes: (codes: string[]) => void
}

/** Trace codes, a line each: scanned one after the other, read by the camera, pasted from a sheet, or from a file. */
export function CodesArea({ codes, onCodes, ...control }: Props) {
  const kit = useText('admin')
  const [typed, setTyped] = useState(codes.join('\n'))
  const [isScanning, setScanning] = useState(false)
  const take = (text: string) => {
    setTyped(text)
    onCodes(linesIn(text))
  }
  return (
    <>
      <textarea
        {...control}
        className="input-code"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => take(target.value)}
      />
      <button type="button" className="btn" onClick={() => setScanning(!isScanning)}>
        {kit(isScanning ? 'scan.stop' : 'scan.start')}
      </button>
      {isScanning && (
        <Camera onCode={(code) => linesIn(typed).includes(code) || take([...linesIn(typed), code].join('\n'))} />
      )}
    </>
  )
}
