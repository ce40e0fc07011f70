import { linesIn } from '@aisle/contract/medicine/traceCode'
import { type TextareaHTMLAttributes, useState } from 'react'

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'> & {
  codes: readonly string[]
  onCodes: (codes: string[]) => void
}

/** Trace codes, a line each: scanned one after the other, pasted from a sheet, or from a file. */
export function CodesArea({ codes, onCodes, ...control }: Props) {
  const [typed, setTyped] = useState(codes.join('\n'))
  return (
    <textarea
      {...control}
      className="input-code"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onCodes(linesIn(target.value))
      }}
    />
  )
}
