import { type CountLine, countState, saveCount } from '@aisle/contract/counting/count'
import { useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Day } from '../../admin/fields/time'
import { Fault } from '../../admin/form/fault'
import { useLeaveGuard } from '../../admin/form/leave'
import { now } from '../../live/clock'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import type { CountDetail } from './countDrawer'
import { shownCounts } from './countVerbs'
import styles from './counting.module.css'

type Typed = Record<number, { text: string; at: string }>

/** In front of the machine, with one hand: what stands in each slot, and nothing of what should. */
export function CountSheet({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const [isOpen, setOpen] = useState(false)
  const lines = count.items.filter(({ mayCount }) => mayCount)
  if (!countState.is(count.state, 'counted') || !can(saveCount.access)) return null
  const isSecond = countState.is(count.state, 'recounting')
  const why = lines.length === 0 ? t(isSecond ? 'sheet.ownFirst' : 'sheet.others') : undefined
  return (
    <>
      <button
        type="button"
        className={why ? 'btn' : 'btn btn-main'}
        aria-disabled={why !== undefined}
        data-hint={why}
        onClick={() => !why && setOpen(true)}
      >
        {t(isSecond ? 'sheet.again' : 'sheet.open')}
        {why && <small> · {why}</small>}
      </button>
      {isOpen && createPortal(<Sheet count={count} lines={lines} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}

const instant = (): string => new Date(now()).toISOString()
const isWrong = (text: string) => text.trim() !== '' && !/^\d{1,4}$/.test(text.trim())
const valueOf = (text: string) => (text.trim() === '' ? null : Number(text))

type Open = { count: CountDetail; lines: readonly CountLine[]; onClose: () => void }

function Sheet({ count, lines, onClose }: Open) {
  const t = useText('counting')
  const titleId = useId()
  const title = t('sheet.title', { machineCode: count.machineCode })
  const sheet = useSheet({ count, lines, onClose }, title)
  return (
    <dialog
      className={styles.sheet}
      aria-labelledby={titleId}
      data-part="count-sheet"
      ref={(dialog) => {
        if (dialog && !dialog.open) dialog.showModal()
      }}
      onCancel={(event) => {
        event.preventDefault()
        void sheet.leave()
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          sheet.send()
        }}
      >
        <header>
          <h2 id={titleId}>{title}</h2>
          <span className="quiet">{t('sheet.done', { done: sheet.done, all: lines.length })}</span>
        </header>
        <p className="quiet">{t(sheet.isSecond ? 'sheet.aboutAgain' : 'sheet.about')}</p>
        <ul>
          {lines.map((line) => (
            <SheetLine
              key={line.id}
              line={line}
              text={sheet.textOf(line)}
              onType={(text) => sheet.type(line.id, text)}
            />
          ))}
        </ul>
        {sheet.failure && <Fault failure={sheet.failure} loose={sheet.failure.fields} />}
        <SheetEnd count={sheet.count} isReady={sheet.isReady} onCancel={() => void sheet.leave()} />
      </form>
    </dialog>
  )
}

function SheetEnd({ count, isReady, onCancel }: { count: number; isReady: boolean; onCancel: () => void }) {
  const t = useText('counting')
  const kernel = useText('kernel')
  return (
    <footer>
      <button type="button" className="btn" onClick={onCancel}>
        {kernel('action.cancel')}
      </button>
      <button type="submit" className="btn btn-main" aria-disabled={!isReady}>
        {t('sheet.save', { count })}
      </button>
    </footer>
  )
}

/** What is typed, each with its time by this device, and what of it the server does not have yet. */
function useSheet({ count, lines, onClose }: Open, title: string) {
  const t = useText('counting')
  const isSecond = countState.is(count.state, 'recounting')
  const [typed, setTyped] = useState<Typed>({})
  const held = (line: CountLine) => (isSecond ? line.second : line.counted)
  const said = lines.flatMap((line) => {
    const own = typed[line.id]
    if (!own || isWrong(own.text) || valueOf(own.text) === held(line)) return []
    return [{ id: line.id, counted: valueOf(own.text), countedAt: own.at }]
  })
  const isDone = useRef(false)
  const mayLeave = useLeaveGuard(said.length > 0, isDone, title)
  const command = useCommand(saveCount, {
    errors: 'throw',
    onSuccess: async ({ outcomes }) => {
      isDone.current = true
      toast('good', t('sheet.saved', { count: outcomes.length }))
      await refetch(...shownCounts)
      onClose()
    },
  })
  const isReady = said.length > 0 && !lines.some(({ id }) => isWrong(typed[id]?.text ?? '')) && !command.isPending
  return {
    isSecond,
    isReady,
    count: said.length,
    done: lines.filter((line) => held(line) !== null || said.some(({ id }) => id === line.id)).length,
    failure: command.error,
    textOf: (line: CountLine) => typed[line.id]?.text ?? held(line)?.toString() ?? '',
    type: (id: number, text: string) => setTyped((before) => ({ ...before, [id]: { text, at: instant() } })),
    send: () => isReady && command.mutate({ id: count.id, sentAt: instant(), lines: said }),
    leave: async () => {
      if (await mayLeave()) onClose()
    },
  }
}

function SheetLine({ line, text, onType }: { line: CountLine; text: string; onType: (text: string) => void }) {
  const t = useText('counting')
  const id = useId()
  const { slotCode, productName, batch, expiresOn, isMedicine, capacity } = line
  const over = valueOf(text) !== null && capacity > 0 && Number(text) > capacity
  return (
    <li>
      <label htmlFor={id}>
        <strong>
          {slotCode} {productName}
        </strong>
        <small className="quiet">
          {isMedicine && (batch ?? t('count.noBatch'))} {expiresOn && <Day on={expiresOn} />}
          {over && ` ${t('sheet.over', { capacity })}`}
        </small>
      </label>
      <button
        type="button"
        className="btn"
        aria-label={t('sheet.none', { slot: slotCode })}
        onClick={() => onType('0')}
      >
        0
      </button>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={text}
        aria-invalid={isWrong(text) || undefined}
        onChange={({ target }) => onType(target.value)}
      />
    </li>
  )
}
