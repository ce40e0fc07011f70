import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '../../ui/icons'
import { Money } from '../../ui/money'
import { Picture } from '../../ui/picture'
import type { Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { classes } from '../../ui/classes'
import styles from './board.module.css'

/** A slot as the board draws it, of a machine or of a template. */
export type BoardSlot = {
  code: string
  layer: number
  position: number
  productName: string | null
  picture: string | null
  priceFen: number | null
  capacity: number
  /** Null where nothing lies in it yet, as in a template. */
  stock: number | null
  isChanged: boolean
  /** What is to be known of it, each a word on its colour. */
  notes: readonly { tone: Tone; word: string }[]
}

export type BoardProps = {
  label: string
  slots: readonly BoardSlot[]
  picked: ReadonlySet<string>
  onPick: (code: string, how: { isMore: boolean; isRange: boolean }) => void
  onPickLayer: (layer: number) => void
  /** A product is being dragged that may lie here. */
  isDropping: boolean
  onDrop: (code: string) => void
  /** Beside a layer's name. */
  layerTools?: (layer: number, count: number) => ReactNode
}

/** The cabinet as one stands before it: layers from the top, slots from the left. */
export function Board(props: BoardProps) {
  const { label, slots, layerTools, onPickLayer } = props
  const t = useText('planogram')
  const layers = [...new Set(slots.map(({ layer }) => layer))].sort((a, b) => a - b)
  return (
    <div className={styles.board} role="group" aria-label={label}>
      {layers.map((layer) => {
        const own = slots.filter((slot) => slot.layer === layer).sort((a, b) => a.position - b.position)
        return (
          <section key={layer} className={styles.layer} aria-label={t('layer', { layer })}>
            <header>
              <button type="button" className="btn-plain" onClick={() => onPickLayer(layer)}>
                {t('layer', { layer })}
              </button>
              {layerTools?.(layer, own.length)}
            </header>
            <ul tabIndex={0} aria-label={t('layer', { layer })}>
              {own.map((slot) => (
                <SlotTile key={slot.code} slot={slot} {...props} />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function SlotTile({ slot, picked, onPick, isDropping, onDrop }: BoardProps & { slot: BoardSlot }) {
  const t = useText('planogram')
  const { code, productName, picture, priceFen, capacity, stock, isChanged, notes } = slot
  const isPicked = picked.has(code)
  const press = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) =>
    onPick(code, { isMore: ctrlKey || metaKey, isRange: shiftKey })
  const look = classes(
    styles.tile,
    isPicked && styles.isPicked,
    isChanged && styles.isChanged,
    isDropping && styles.isDropping,
  )
  return (
    <li>
      <button
        type="button"
        className={look}
        aria-pressed={isPicked}
        onClick={press}
        onDragOver={(event) => isDropping && event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          onDrop(code)
        }}
      >
        <span className={styles.tileHead}>
          <b>{code}</b>
          {isChanged && <span className={styles.tileChanged}>{t('slot.changed')}</span>}
          {isPicked && <Icon name="check" size={14} />}
        </span>
        {productName ? <Picture src={picture} size={44} /> : <span className={styles.tileBare} />}
        <span data-part="tile-name" className={styles.tileName}>
          {productName ?? t('slot.none')}
        </span>
        <span className={styles.tileFigures}>
          <span>{priceFen === null ? '–' : <Money fen={priceFen} />}</span>
          <span>{stock === null ? `× ${capacity}` : `${stock}/${capacity}`}</span>
        </span>
        {notes.map(({ tone, word }) => (
          <span key={word} className={classes(styles.tileNote, `tone-${tone}`)}>
            {word}
          </span>
        ))}
      </button>
    </li>
  )
}
