import { getPlanogram, listPlaceable, overCapacity, type PlanSlot, saveSlots } from '@aisle/contract/planogram/slot'
import { moneyText } from '@aisle/contract/kernel/text'
import { useState } from 'react'
import { Fault } from '../../admin/form/fault'
import { refetch, useCommand } from '../../live/query'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { type Text, useLanguage, useText } from '../../ui/text'
import { type Draft, drafted } from './draft.rules'
import { Sure } from './sure'
import styles from './slots.module.css'

type When = 'now' | 'nextService'
type Pair = { before: PlanSlot; after: PlanSlot }

/** What will change in which slots, and when; what lies in the way is said before it is asked for. */
export function SaveDialog(props: {
  id: number
  code: string
  slots: readonly PlanSlot[]
  draft: Draft
  onSaved: () => void
  onClose: () => void
}) {
  const { id, code, slots, draft, onSaved, onClose } = props
  const t = useText('planogram')
  const [when, setWhen] = useState<When>('now')
  const [removeContents, setRemove] = useState(false)
  const [isSure, setSure] = useState(false)
  const pairs = slots
    .filter((slot) => draft.has(slot.code))
    .map((before) => ({ before, after: drafted(before, draft) }))
  const replaced = pairs.filter(({ before, after }) => before.productId !== after.productId)
  const canWait = replaced.some(({ after }) => after.productId !== null)
  const gone = replaced.filter(({ after }) => when === 'now' || after.productId === null)
  const held = gone.filter(({ before }) => before.stock > 0)
  const over = overIn(pairs)
  const isHindered = (held.length > 0 && !removeContents) || (over.length > 0 && !isSure)
  const command = useCommand(saveSlots, {
    errors: 'throw',
    onSuccess: async ({ changed, planned }) => {
      toast('good', planned > 0 ? t('save.planned', { code, changed, planned }) : t('save.done', { code, changed }))
      onSaved()
      await refetch(getPlanogram, listPlaceable)
    },
  })
  const send = () => {
    if (command.isPending || isHindered) return
    command.mutate({ id, when, removeContents, isSure, slots: pairs.map(({ after }) => wishOf(after)) })
  }
  return (
    <Dialog
      title={t('save.title', { code })}
      onSubmit={send}
      onCancel={onClose}
      actions={
        <DialogButtons
          onCancel={onClose}
          send={when === 'now' ? t('save.now') : t('save.next')}
          isReady={!command.isPending && !isHindered}
        />
      }
    >
      <ul className={styles.saveList} tabIndex={0} aria-label={t('save.title', { code })}>
        {pairs.map((pair) => (
          <PairLine key={pair.before.code} pair={pair} />
        ))}
      </ul>
      {canWait && <WhenChoice when={when} onChange={setWhen} />}
      {held.length > 0 && (
        <label className={styles.saveHeld}>
          <input type="checkbox" checked={removeContents} onChange={({ target }) => setRemove(target.checked)} />
          <span>{heldWords(held, t)}</span>
        </label>
      )}
      <Sure slots={over} isSure={isSure} onChange={setSure} />
      {command.error && <Fault failure={command.error} loose={command.error.fields} />}
    </Dialog>
  )
}

/** A size that was changed below what lies in the slot. */
const overIn = (pairs: readonly Pair[]): PlanSlot[] =>
  pairs
    .filter(({ before, after }) => before.capacity !== after.capacity && before.productId === after.productId)
    .map(({ after }) => after)
    .filter(overCapacity)

function WhenChoice({ when, onChange }: { when: When; onChange: (when: When) => void }) {
  const t = useText('planogram')
  return (
    <fieldset className={styles.saveWhen}>
      <legend>{t('save.when')}</legend>
      {(['now', 'nextService'] as const).map((each) => (
        <label key={each}>
          <input type="radio" name="when" checked={when === each} onChange={() => onChange(each)} />
          <span>
            {t(`when.${each}`)}
            <small className="quiet">{t(`when.${each}.hint`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const heldWords = (held: readonly Pair[], t: Text<'planogram'>) =>
  t('save.remove', {
    slots: held.map(({ before }) => before.code).join(' '),
    count: held.reduce((sum, { before }) => sum + before.stock, 0),
  })

const wishOf = (slot: PlanSlot) => {
  const { code, version, productId, priceFen, capacity, alarmThreshold, choice, isLocked } = slot
  return { code, version, productId, priceFen, capacity, alarmThreshold, choice, isLocked }
}

function PairLine({ pair: { before, after } }: { pair: Pair }) {
  const t = useText('planogram')
  const language = useLanguage()
  const price = (fen: number | null) => (fen === null ? '–' : moneyText(fen, language))
  const sides: [keyof PlanSlot, (slot: PlanSlot) => string][] = [
    ['productId', (slot) => slot.productName ?? t('slot.none')],
    ['priceFen', (slot) => price(slot.priceFen)],
    ['capacity', (slot) => t('save.capacity', { count: slot.capacity })],
    ['alarmThreshold', (slot) => t('save.threshold', { count: slot.alarmThreshold })],
    ['choice', (slot) => t(`choice.${slot.choice}`)],
    ['isLocked', (slot) => (slot.isLocked ? t('slot.locked') : t('slot.unlocked'))],
  ]
  return (
    <li>
      <b>{before.code}</b>
      {sides
        .filter(([name]) => before[name] !== after[name])
        .map(([name, say]) => (
          <span key={name}>
            <del>{say(before)}</del> <ins>{say(after)}</ins>
          </span>
        ))}
    </li>
  )
}
