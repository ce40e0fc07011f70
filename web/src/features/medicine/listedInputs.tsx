import { packLevels } from '@aisle/contract/medicine/medicine'
import { type ComponentType, useState } from 'react'
import { controlProps, type InputProps } from '../../admin/form/input'
import type { Text } from '../../ui/text'
import * as rules from './listed.rules'

type Typing = { rows: number; read: (text: string, t: Text) => unknown; write: (value: unknown, t: Text) => string }

/** A list that is typed as text; what is being typed stays as it is while it is understood. */
function listedInput({ rows, read, write }: Typing): ComponentType<InputProps> {
  return function ListedInput(props: InputProps) {
    const { value, onChange, t } = props
    const [typed, setTyped] = useState<string | null>(null)
    const isOwn = typed !== null && JSON.stringify(read(typed, t)) === JSON.stringify(value ?? [])
    return (
      <textarea
        {...controlProps(props)}
        rows={rows}
        value={isOwn ? typed : write(value, t)}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(read(target.value, t))
        }}
      />
    )
  }
}

const listIn = <T,>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])
const levelWord = (t: Text) => (level: string) => (t.has(`level.${level}`) ? t.any(`level.${level}`) : level)
const levelsIn = (t: Text) => new Map(packLevels.flatMap((each) => [[levelWord(t)(each), each] as const, [each, each]]))

export const WordsInput = listedInput({
  rows: 2,
  read: rules.wordsIn,
  write: (value) => rules.wordsText(listIn<string>(value)),
})
export const BarcodesInput = listedInput({
  rows: 2,
  read: rules.barcodesIn,
  write: (value) => rules.barcodesText(listIn<rules.Barcode>(value)),
})
export const PrefixesInput = listedInput({
  rows: 3,
  read: (text, t) => rules.prefixesIn(text, levelsIn(t)),
  write: (value, t) => rules.prefixesText(listIn<rules.TracePrefix>(value), levelWord(t)),
})
