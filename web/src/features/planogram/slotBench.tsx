import { listPlaceable, type Placeable, type Planogram, type PlanSlot } from '@aisle/contract/planogram/slot'
import type { Tone } from '@aisle/contract/kernel/field'
import { useRef, useState } from 'react'
import { useLeaveGuard } from '../../admin/form/leave'
import { moneyText } from '@aisle/contract/kernel/text'
import { relativeTime } from '../../ui/timeText'
import { useNow } from '../../live/clock'
import { toast } from '../../ui/feedback/notice'
import { currentLocale, type Text, useLanguage, useText } from '../../ui/text'
import { Board, type BoardSlot } from './board'
import { BenchHead } from './benchHead'
import { CountDialog } from './countDialog'
import { type Change, type Draft, drafted, nothingPicked, pick, pickAll, placing, withChange } from './draft.rules'
import { AddSlotButton, PickedVerbs } from './layoutVerbs'
import { ProductPanel } from './productPanel'
import { SaveDialog } from './saveDialog'
import { SlotEditor } from './slotEditor'
import { SyncPanel, syncTones } from './syncPanel'
import styles from './slots.module.css'
import { classes } from '../../ui/classes'

/**
 * The cabinet in the middle, what may go in and what was picked beside it; nothing is sent before it is saved. Whether
 * it is being counted stands in the address, since other pages lead to a count.
 */
export function SlotBench(props: { plan: Planogram; isCounting: boolean; count: (isOn: boolean) => void }) {
  const { plan, isCounting, count } = props
  const t = useText('planogram')
  const bench = useBench(plan)
  const { shown, picked, draft, dragged, isMore } = bench
  const pickedSlots = shown.filter(({ code }) => picked.codes.has(code))
  const isDone = useRef(false)
  const side = useRef<HTMLElement>(null)
  useLeaveGuard(draft.size > 0, isDone)
  return (
    <>
      <BenchHead plan={plan} isMore={isMore} onMore={bench.setMore} onCount={() => count(true)} />
      <SyncPanel plan={plan} onShow={bench.show} />
      <div className={styles.bench}>
        <div className={styles.benchBoard}>
          <Board
            label={t('board', { code: plan.code })}
            slots={shown.map((slot) => bench.tileOf(slot))}
            picked={picked.codes}
            onPick={bench.pick}
            onPickLayer={bench.pickLayer}
            isDropping={dragged !== null}
            onDrop={bench.drop}
            layerTools={(layer, count) => !plan.isRetired && <AddSlotButton id={plan.id} layer={layer} count={count} />}
          />
        </div>
        <aside ref={side} data-part="bench-side" className={styles.benchSide}>
          {pickedSlots.length > 0 && (
            <SlotEditor slots={pickedSlots} onChange={(change) => bench.change(pickedSlots, change)}>
              <PickedVerbs plan={plan} slots={pickedSlots} onDone={bench.clear} />
            </SlotEditor>
          )}
          <ProductPanel
            list={listPlaceable}
            query={{ id: plan.id }}
            picked={pickedSlots.map(({ code }) => code)}
            onDrag={bench.drag}
            onPlace={(product) => bench.change(pickedSlots, placing(product))}
          />
        </aside>
      </div>
      <BenchBar
        changed={draft.size}
        picked={pickedSlots.length}
        toEditor={() => side.current?.scrollIntoView()}
        discard={bench.discard}
        save={() => bench.setSaving(true)}
      />
      {bench.isSaving && (
        <SaveDialog
          id={plan.id}
          code={plan.code}
          slots={plan.slots}
          draft={draft}
          onSaved={bench.saved}
          onClose={() => bench.setSaving(false)}
        />
      )}
      {isCounting && (
        <CountDialog
          id={plan.id}
          code={plan.code}
          slots={pickedSlots.length > 0 ? pickedSlots : plan.slots}
          onClose={() => count(false)}
        />
      )}
    </>
  )
}

/** What is picked, where the editor is out of sight, and what is not saved yet. */
function BenchBar(props: {
  changed: number
  picked: number
  toEditor: () => void
  discard: () => void
  save: () => void
}) {
  const { changed, picked, toEditor, discard, save } = props
  const t = useText('planogram')
  if (changed === 0 && picked === 0) return null
  if (changed === 0) {
    return (
      <div className={classes(styles.benchBar, styles.benchBarNarrow)}>
        <span>{t('editor', { count: picked })}</span>
        <button type="button" className="btn" onClick={toEditor}>
          {t('bar.edit')}
        </button>
      </div>
    )
  }
  return (
    <div className={styles.benchBar} role="status">
      <span>{t('bar.changed', { count: changed })}</span>
      <button type="button" className="btn" onClick={discard}>
        {t('bar.discard')}
      </button>
      <button type="button" className="btn btn-main" onClick={save}>
        {t('bar.save')}
      </button>
    </div>
  )
}

const EVERY_MS = 30_000

function useBench(plan: Planogram) {
  const t = useText('planogram')
  const language = useLanguage()
  const [draft, setDraft] = useState<Draft>(new Map())
  const [picked, setPicked] = useState(nothingPicked)
  const [dragged, setDragged] = useState<Placeable | null>(null)
  const [isMore, setMore] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const shown = plan.slots.map((slot) => drafted(slot, draft))
  const nowMs = useNow(EVERY_MS)
  const reportedWhen = plan.snapshotAt ? relativeTime(plan.snapshotAt, nowMs, currentLocale()) : ''
  const order = plan.slots.map(({ code }) => code)
  const change = (slots: readonly { code: string }[], wish: Change) => {
    const codes = new Set(slots.map(({ code }) => code))
    setDraft((before) =>
      withChange(
        before,
        plan.slots.filter(({ code }) => codes.has(code)),
        wish,
      ),
    )
  }
  return {
    draft,
    picked,
    dragged,
    isMore,
    isSaving,
    shown,
    setMore,
    setSaving,
    change,
    drag: setDragged,
    clear: () => setPicked(nothingPicked),
    discard: () => setDraft(new Map()),
    saved: () => {
      setDraft(new Map())
      setSaving(false)
    },
    show: (codes: string[]) => setPicked({ codes: new Set(codes), anchor: codes[0] ?? null }),
    pick: (code: string, how: { isMore: boolean; isRange: boolean }) =>
      setPicked((before) => pick(before, order, code, { ...how, isMore: how.isMore || isMore })),
    pickLayer: (layer: number) => {
      const codes = plan.slots.filter((slot) => slot.layer === layer).map(({ code }) => code)
      setPicked((before) => pickAll(before, codes))
    },
    /** Onto a picked slot: into all that are picked; else into that one alone. */
    drop: (code: string) => {
      if (!dragged) return
      const codes = picked.codes.has(code) ? [...picked.codes] : [code]
      change(
        codes.map((each) => ({ code: each })),
        placing(dragged),
      )
      if (!dragged.isInAssortment) toast('info', t('products.outside'))
      setDragged(null)
    },
    tileOf: (slot: PlanSlot): BoardSlot => ({
      ...slot,
      isChanged: draft.has(slot.code),
      notes: notesOf(slot, t, (fen) => moneyText(fen, language), reportedWhen),
    }),
  }
}

/** States of which nothing else on the tile speaks. */
const stateNotes: Partial<Record<PlanSlot['state'], 'slot.offline'>> = { offline: 'slot.offline' }

type Money = (fen: number) => string

/** What is wrong or waits, worst first; a slot that is as it should be says nothing. */
function notesOf(slot: PlanSlot, t: Text<'planogram'>, money: Money, when: string) {
  const notes: { tone: Tone; word: string }[] = []
  if (slot.unlawful) notes.push({ tone: 'bad', word: t(`law.${slot.unlawful}`) })
  if (slot.fault) notes.push({ tone: 'bad', word: t('slot.fault', { code: slot.fault }) })
  if (slot.held) notes.push(...heldNotes(slot.held, t, money))
  if (slot.isLocked) notes.push({ tone: 'warn', word: lockWord(slot, t) })
  const state = stateNotes[slot.state]
  if (state) notes.push({ tone: 'idle', word: t(state) })
  if (slot.choice !== 'none') notes.push({ tone: 'idle', word: t(`choice.${slot.choice}`) })
  if (slot.productId !== null && !slot.priceFen) notes.push({ tone: 'warn', word: t('slot.noPrice') })
  if (slot.productId !== null && slot.stock <= 0) notes.push({ tone: 'bad', word: t('slot.out') })
  if (slot.next) notes.push({ tone: 'busy', word: nextWord(slot.next, t, money) })
  if (slot.sync !== 'in_sync') notes.push({ tone: syncTones[slot.sync], word: t(`syncState.${slot.sync}`) })
  if (slot.stockDrift) notes.push({ tone: 'warn', word: t('slot.counts', { count: slot.reportedStock ?? 0, when }) })
  for (const { field, reported } of slot.differences) {
    const said = field === 'priceFen' && typeof reported === 'number' ? money(reported) : reportedWord(reported, t)
    notes.push({ tone: 'idle', word: t('slot.says', { what: t(`compared.${field}`), said }) })
  }
  return notes
}

/** What it gets at its next service, and at which price where that is another. */
const nextWord = ({ productName, priceFen }: NonNullable<PlanSlot['next']>, t: Text<'planogram'>, money: Money) =>
  [t('slot.next', { name: productName ?? '' }), priceFen !== null && money(priceFen)].filter(Boolean).join(' · ')

/** A batch that may not be sold keeps what stands behind it from being sold. */
function heldNotes(
  { why, trapped, trappedFen, isDoubtful }: NonNullable<PlanSlot['held']>,
  t: Text<'planogram'>,
  money: Money,
) {
  const notes: { tone: Tone; word: string }[] = []
  if (why) notes.push({ tone: 'bad', word: t(`held.${why}`) })
  if (trapped > 0) notes.push({ tone: 'warn', word: t('held.trapped', { pieces: trapped, money: money(trappedFen) }) })
  if (isDoubtful) notes.push({ tone: 'warn', word: t('held.doubtful') })
  return notes
}

const lockWord = ({ lockReason }: PlanSlot, t: Text<'planogram'>): string => {
  const key = `lockReason.${lockReason}`
  return lockReason && t.has(key) ? t.any(key) : t('slot.locked')
}

function reportedWord(reported: PlanSlot['differences'][number]['reported'], t: Text<'planogram'>): string {
  if (reported === null) return '–'
  if (typeof reported === 'boolean') return reported ? t('slot.locked') : t('slot.unlocked')
  return String(reported)
}
