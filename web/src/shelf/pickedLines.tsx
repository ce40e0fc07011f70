import { useState } from 'react'
import { LineInput, LinePicker, RemoveLine } from './lineInputs'
import styles from './lines.module.css'

type Offer<L> = {
  key: string
  word: string
  note: string
  /** What stands beside it once it is a line. */
  small?: string
  /** The line that it becomes. */
  line: L
}
type Lines<L> = {
  id: string
  lines: readonly L[]
  keyOf: (line: L) => string
  /** Words of the lines that were there before, by key. */
  known?: ReadonlyMap<string, string>
  offers: readonly Offer<L>[]
  words: { quantity: string; pick: string; remove: (name: string) => string }
  isBusy: boolean
  onSearch: (text: string) => void
  onBlur: () => void
  onChange: (lines: readonly L[]) => void
}

/** Goods that were chosen, with how many of each, and where the next are chosen; none is chosen twice. */
export function PickedLines<L extends { quantity: unknown }>(props: Lines<L>) {
  const { id, lines, keyOf, known = new Map(), offers, words, onChange } = props
  const [picked, setPicked] = useState<ReadonlyMap<string, Offer<L>>>(new Map())
  const wordOf = (key: string): string => picked.get(key)?.word ?? known.get(key) ?? key
  const change = (at: number, quantity: unknown) =>
    onChange(lines.map((each, i) => (i === at ? { ...each, quantity } : each)))
  return (
    <div id={id} className={styles.rows}>
      {lines.map((line, at) => {
        const key = keyOf(line)
        const word = wordOf(key)
        const small = picked.get(key)?.small
        return (
          <div key={key} className={styles.row}>
            <span className={styles.what}>
              {word}
              {small && <small className="quiet">{small}</small>}
            </span>
            <LineInput
              kind="count"
              label={words.quantity}
              name={`${words.quantity} ${word}`}
              value={line.quantity}
              onChange={(quantity) => change(at, quantity)}
            />
            <RemoveLine name={words.remove(word)} onRemove={() => onChange(lines.filter((_, i) => i !== at))} />
          </div>
        )
      })}
      <LinePicker
        id={id}
        word={words.pick}
        count={lines.length}
        options={offers
          .filter(({ key }) => !lines.some((line) => keyOf(line) === key))
          .map(({ key, word, note }) => ({ value: key, word, note }))}
        isBusy={props.isBusy}
        onSearch={props.onSearch}
        onBlur={props.onBlur}
        onPick={(option) => {
          const offer = offers.find(({ key }) => key === option?.value)
          if (!offer) return
          setPicked(new Map([...picked, [offer.key, offer]]))
          onChange([...lines, offer.line])
        }}
      />
    </div>
  )
}
