import { MOST_LAYERS, MOST_SLOTS, slotCode } from '@aisle/contract/fleet/layout'
import { listTemplateProducts, type Placeable } from '@aisle/contract/planogram/slot'
import type { TemplateSlot } from '@aisle/contract/planogram/template'
import { useId, useState } from 'react'
import type { InputProps } from '../../admin/form/input'
import { useText } from '../../ui/text'
import { Board, type BoardSlot } from './board'
import { nothingPicked, pick, pickAll, placing } from './draft.rules'
import { ProductPanel } from './productPanel'
import { PlanFields } from './slotEditor'
import { layersIn, resized, withLayers } from './template.rules'
import styles from './templateSlots.module.css'
import slotsStyles from './slots.module.css'
import slotEditorStyles from './slotEditor.module.css'
import { classes } from '../../ui/classes'

/** What is known of a product beyond its number, for the board. */
export type KnownProduct = { id: number; name: string; picture: string | null }

const codeOf = ({ layer, position }: TemplateSlot) => slotCode(layer, position)
const slotsIn = (value: unknown): readonly TemplateSlot[] => (Array.isArray(value) ? (value as TemplateSlot[]) : [])

/** The slots of a template, as an input of its form. */
export function templateSlotsInput(known: readonly KnownProduct[], fixedMerchantId?: number) {
  return function TemplateSlotsInput(props: InputProps) {
    return (
      <TemplateSlots {...props} known={known} merchantId={fixedMerchantId ?? Number(props.values.merchantId ?? 0)} />
    )
  }
}

type SlotsProps = InputProps & { known: readonly KnownProduct[]; merchantId: number }

/** How many layers, how many slots each, and what stands in them. */
function TemplateSlots(props: SlotsProps) {
  const { id, label, onChange, describedBy, merchantId } = props
  const t = useText('planogram')
  const { slots, picked, chosen, dragged, setDragged, setPicked, change, place, tileOf } = useSlots(props)
  const order = slots.map(codeOf)
  return (
    <div id={id} className={styles.slots} role="group" aria-label={label} aria-describedby={describedBy}>
      <Counter
        label={t('template.layers')}
        rule={t('rule.layers')}
        most={MOST_LAYERS}
        value={layersIn(slots).length}
        onChange={(count) => onChange(withLayers(slots, count))}
      />
      <div className={slotsStyles.bench}>
        <Board
          label={label}
          slots={slots.map(tileOf)}
          picked={picked.codes}
          onPick={(code, how) => setPicked((before) => pick(before, order, code, how))}
          onPickLayer={(layer) =>
            setPicked((before) => pickAll(before, slots.filter((slot) => slot.layer === layer).map(codeOf)))
          }
          isDropping={dragged !== null}
          onDrop={(code) => dragged && place(picked.codes.has(code) ? picked.codes : new Set([code]), dragged)}
          layerTools={(layer, count) => (
            <Counter
              label={t('template.slotsOf', { layer })}
              rule={t('rule.count')}
              most={MOST_SLOTS}
              value={count}
              onChange={(next) => onChange(resized(slots, layer, next))}
            />
          )}
        />
        <div data-part="bench-side" className={slotsStyles.benchSide}>
          {chosen.length > 0 && <ChosenSlots slots={chosen} onChange={(part) => change(picked.codes, part)} />}
          {merchantId > 0 && (
            <ProductPanel
              key={merchantId}
              list={listTemplateProducts}
              query={{ merchantId }}
              picked={chosen.map(codeOf)}
              onDrag={setDragged}
              onPlace={(product) => place(picked.codes, product)}
            />
          )}
        </div>
      </div>
    </div>
  )
}

function useSlots({ known, value, onChange }: SlotsProps) {
  const t = useText('planogram')
  const [names, setNames] = useState(() => new Map(known.map((product) => [product.id, product])))
  const [picked, setPicked] = useState(nothingPicked)
  const [dragged, setDragged] = useState<Placeable | null>(null)
  const slots = slotsIn(value)
  const change = (codes: ReadonlySet<string>, part: Partial<TemplateSlot>) =>
    onChange(slots.map((slot) => (codes.has(codeOf(slot)) ? { ...slot, ...part } : slot)))
  const place = (codes: ReadonlySet<string>, product: Placeable) => {
    setNames((before) => new Map(before).set(product.id, product))
    const { productId, priceFen } = placing(product)
    change(codes, { productId, priceFen })
  }
  const tileOf = (slot: TemplateSlot): BoardSlot => {
    const product = slot.productId === null ? undefined : names.get(slot.productId)
    const isPriceless = slot.productId !== null && !slot.priceFen
    return {
      ...slot,
      code: codeOf(slot),
      productName: product?.name ?? (slot.productId === null ? null : `#${slot.productId}`),
      picture: product?.picture ?? null,
      stock: null,
      isChanged: false,
      notes: isPriceless ? [{ tone: 'warn', word: t('slot.noPrice') }] : [],
    }
  }
  const chosen = slots.filter((slot) => picked.codes.has(codeOf(slot)))
  return { slots, picked, chosen, dragged, setDragged, setPicked, change, place, tileOf }
}

function ChosenSlots(props: { slots: readonly TemplateSlot[]; onChange: (part: Partial<TemplateSlot>) => void }) {
  const { slots, onChange } = props
  const t = useText('planogram')
  return (
    <section
      className={classes('list-card', slotEditorStyles.editor)}
      aria-label={t('editor', { count: slots.length })}
    >
      <h2>{slots.length === 1 ? slots.map(codeOf).join('') : t('editor', { count: slots.length })}</h2>
      <PlanFields slots={slots} onChange={onChange} />
      <div className={slotEditorStyles.verbs}>
        <button type="button" className="btn" onClick={() => onChange({ productId: null, priceFen: null })}>
          {t('editor.empty')}
        </button>
      </div>
    </section>
  )
}

/** A number from 1 to 10; what is typed wrongly is said at once and changes nothing. */
function Counter(props: {
  label: string
  rule: string
  most: number
  value: number
  onChange: (value: number) => void
}) {
  const { label, rule, most, value, onChange } = props
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const read = (text: string) => (/^\d{1,2}$/.test(text.trim()) ? Number(text) : 0)
  const isWrong = typed !== null && (read(typed) < 1 || read(typed) > most)
  return (
    <span className={styles.counter}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? String(value)}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-rule` : undefined}
        onChange={({ target }) => {
          const count = read(target.value)
          setTyped(target.value)
          if (count >= 1 && count <= most) onChange(count)
        }}
        onBlur={() => !isWrong && setTyped(null)}
      />
      {isWrong && (
        <span id={`${id}-rule`} className="fault">
          {rule}
        </span>
      )}
    </span>
  )
}
