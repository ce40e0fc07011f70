import { countText } from '../admin/fields/number'
import { hasSameConditions } from '../admin/address'
import type { ListAddress } from '../admin/useAddress'
import { Money } from '../ui/money'
import type { Tone } from '../ui/tag'
import styles from './tally.module.css'
import { classes } from '../ui/classes'

export type TallyFigure = {
  name: string
  word: string
  tone: Tone
  /** Undefined while it is being counted; nothing to count is quiet, whatever its tone. */
  count: number | undefined
  /** The money in them, where they are about money. */
  fen?: number | undefined
  query: Record<string, string>
}

/** How many there are of what matters, above a list; each figure is a filter. */
export function Tally(props: { label: string; address: ListAddress; figures: readonly TallyFigure[] }) {
  const { label, address, figures } = props
  return (
    <div className={styles.tally} role="group" aria-label={label}>
      {figures.map(({ name, word, tone, count, fen, query }) => (
        <button
          key={name}
          type="button"
          className={classes(styles.figure, styles[count ? tone : 'idle'])}
          aria-pressed={hasSameConditions(query, address.query)}
          onClick={() => address.show(query)}
        >
          <span>{word}</span>
          <strong>{count === undefined ? '–' : countText(count)}</strong>
          {fen !== undefined && fen > 0 && (
            <small>
              <Money fen={fen} />
            </small>
          )}
        </button>
      ))}
    </div>
  )
}
