import { countSlots, getPlanogram, overCapacity, type PlanSlot } from '@aisle/contract/planogram/slot'
import { useId, useState } from 'react'
import { Fault } from '../../admin/form/fault'
import { refetch, useCommand } from '../../live/query'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { Sure } from './sure'
import styles from './slots.module.css'

const MOST_PIECES = 999
const countedIn = (text: string): number | null => {
  if (!/^\d{1,3}$/.test(text.trim())) return null
  const count = Number(text)
  return count <= MOST_PIECES ? count : null
}

/** What somebody counts in front of the machine; a field left empty was not counted. */
export function CountDialog(props: { id: number; code: string; slots: readonly PlanSlot[]; onClose: () => void }) {
  const { id, code, onClose } = props
  const t = useText('planogram')
  // What is empty in the books is where something may lie after all, and quickest counted.
  const slots = props.slots.filter(({ productId }) => productId !== null).toSorted((a, b) => rankOf(a) - rankOf(b))
  const { typed, type, asBooked, counts, over, isWrong, isSure, setSure } = useCounts(slots)
  const [remark, setRemark] = useState('')
  const command = useCommand(countSlots, {
    errors: 'throw',
    onSuccess: async ({ corrections, commandId, isUnlawful }) => {
      toast('good', t('count.done', { code, count: corrections.length }))
      if (commandId !== null) toast('info', t('count.told', { code }))
      if (isUnlawful) toast('bad', t('count.notTold', { code }))
      onClose()
      await refetch(getPlanogram)
    },
  })
  const isReady = counts.length > 0 && !isWrong && (over.length === 0 || isSure) && !command.isPending
  return (
    <Dialog
      title={t('count.title', { code })}
      isWhole
      onSubmit={() => isReady && command.mutate({ id, counts, remark, isSure })}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('count.save')} isReady={isReady} />}
    >
      <p className="quiet">{t('count.about')}</p>
      <ul className={styles.countList} aria-label={t('count.title', { code })}>
        {slots.map((slot, at) => (
          <CountLine
            key={slot.code}
            isFirst={at === 0}
            slot={slot}
            text={typed[slot.code] ?? ''}
            onType={(text) => type(slot.code, text)}
          />
        ))}
      </ul>
      <p>
        <button type="button" className="btn" onClick={() => asBooked(slots)}>
          {t('count.restAsBooked')}
        </button>
      </p>
      <Remark text={remark} onType={setRemark} />
      <Sure slots={over} isSure={isSure} onChange={setSure} />
      {command.error && <Fault failure={command.error} loose={command.error.fields} />}
    </Dialog>
  )
}

function Remark({ text, onType }: { text: string; onType: (text: string) => void }) {
  const t = useText('planogram')
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {t('field.remark')}
      </label>
      <input id={id} type="text" maxLength={200} value={text} onChange={({ target }) => onType(target.value)} />
    </div>
  )
}

const rankOf = ({ stock }: PlanSlot) => (stock > 0 ? 1 : 0)

/** What is typed so far, and which of it is more than fits in; whoever types on is no longer sure. */
function useCounts(slots: readonly PlanSlot[]) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [isSure, setSure] = useState(false)
  const said = slots.flatMap(({ code, capacity }) => {
    const stock = countedIn(typed[code] ?? '')
    return stock === null ? [] : [{ code, stock, capacity }]
  })
  return {
    typed,
    type: (code: string, text: string) => {
      setSure(false)
      setTyped((before) => ({ ...before, [code]: text }))
    },
    /** Those that nobody typed yet are as the books say. */
    asBooked: (those: readonly PlanSlot[]) => {
      setSure(false)
      setTyped((before) => ({
        ...Object.fromEntries(those.map(({ code, stock }) => [code, String(stock)])),
        ...before,
      }))
    },
    counts: said.map(({ code, stock }) => ({ code, counted: stock })),
    over: said.filter(overCapacity),
    isWrong: slots.some(({ code }) => (typed[code] ?? '').trim() !== '' && countedIn(typed[code] ?? '') === null),
    isSure,
    setSure,
  }
}

function CountLine(props: { slot: PlanSlot; isFirst: boolean; text: string; onType: (text: string) => void }) {
  const { slot, isFirst, text, onType } = props
  const t = useText('planogram')
  const id = useId()
  const counted = countedIn(text)
  const change = counted === null ? 0 : counted - slot.stock
  const isWrong = text.trim() !== '' && counted === null
  const changeText = change === 0 ? '' : change > 0 ? `+${change}` : `−${-change}`
  const isOver = counted !== null && overCapacity({ stock: counted, capacity: slot.capacity })
  return (
    <li>
      <label htmlFor={id}>
        <b>{slot.code}</b> {slot.productName}
      </label>
      <span className="quiet">
        <button type="button" className="btn-plain" onClick={() => onType(String(slot.stock))}>
          = {t('count.books', { count: slot.stock })}
        </button>
        {slot.stockDrift ? ` · ${t('count.machine', { count: slot.reportedStock ?? 0 })}` : ''}
      </span>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        data-begin={isFirst || undefined}
        value={text}
        aria-invalid={isWrong || isOver || undefined}
        onChange={({ target }) => onType(target.value)}
      />
      <span className={isOver ? 'tone-bad' : change === 0 ? 'quiet' : change > 0 ? 'tone-good' : 'tone-bad'}>
        {isWrong
          ? t('rule.pieces')
          : isOver
            ? t('count.over', { capacity: slot.capacity, count: counted })
            : changeText}
      </span>
    </li>
  )
}
