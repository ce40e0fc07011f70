import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { LARGEST_SHEET_BYTES, type SheetFault, type sheetTemplate } from '@aisle/contract/kernel/sheet'
import { type ReactNode, useRef, useState } from 'react'
import type { z } from 'zod'
import { countText } from '../admin/fields/number'
import { call } from '../live/call'
import { CallFailure } from '../live/failure'
import { refetch, useCommand } from '../live/query'
import { base64Of, bytesOf, saveFile } from '../ui/control/files'
import { Dialog, DialogButtons } from '../ui/feedback/dialog'
import { useText } from '../ui/text'
import styles from './sheetImport.module.css'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Judged = { rows: number; good: number; faults: readonly SheetFault[]; faultCount: number }
type Template = Endpoint & { output: typeof sheetTemplate }
type Preview = Endpoint & { output: z.ZodType<Judged> }
type Looked<P extends Preview> = OutputOf<P> & Judged & { file: string; name: string; asked: string }

type Props<P extends Preview, W extends Endpoint> = {
  title: string
  intro: string
  template: Template
  preview: P
  write: W
  /** Sent beside the file; null while something of it lacks. */
  beside?: Record<string, unknown> | null
  /** The inputs of that. */
  children?: ReactNode
  take: (judged: Judged) => string
  /** Whether the good rows are taken though others are wrong. */
  isPartial?: boolean
  /** What else is told of what was looked at. */
  more?: (judged: OutputOf<P>) => ReactNode
  changes: readonly Endpoint[]
  onDone: (answer: OutputOf<W>) => void
  onClose: () => void
}

/** A sheet is looked at first, row by row, and nothing is changed before somebody has seen what is wrong with it. */
export function SheetImport<P extends Preview, W extends Endpoint>(props: Props<P, W>) {
  const { title, intro, template, write, children, take, isPartial = false, more, changes, onDone, onClose } = props
  const { judged, fault, isBusy, look, asked } = useLook(props)
  const importing = useCommand(write, {
    errors: 'throw',
    onSuccess: async (answer) => {
      onDone(answer)
      await refetch(...changes)
    },
  })
  const isFine = judged !== null && judged.good > 0 && (isPartial || judged.faultCount === 0)
  const isReady = isFine && judged.asked === asked && !importing.isPending
  const wrong = fault ?? importing.error?.message
  return (
    <Dialog
      title={title}
      isWide
      onSubmit={() => {
        if (isReady) importing.mutate({ ...props.beside, file: judged.file } as CallOf<W>)
      }}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={take(judged ?? nothing)} isReady={isReady} />}
    >
      <p>{intro}</p>
      {children}
      <Choose
        template={template}
        isReady={props.beside !== null && !isBusy}
        isBusy={isBusy}
        name={judged?.name ?? null}
        onChoose={(chosen) => void look(chosen)}
      />
      {wrong && (
        <p className="fault" role="alert">
          {wrong}
        </p>
      )}
      {judged && judged.asked === asked && <Verdict judged={judged}>{more?.(judged)}</Verdict>}
    </Dialog>
  )
}

const nothing: Judged = { rows: 0, good: 0, faults: [], faultCount: 0 }

/** What was looked at holds for what it was asked with: for another merchant it is looked at again. */
function useLook<P extends Preview>({ preview, beside = {} }: Pick<Props<P, Endpoint>, 'preview' | 'beside'>) {
  const kit = useText('admin')
  const [judged, setJudged] = useState<Looked<P> | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const asked = JSON.stringify(beside)
  const look = async (chosen: File | undefined) => {
    if (!chosen || isBusy || beside === null) return
    setJudged(null)
    if (chosen.size > LARGEST_SHEET_BYTES) return setFault(kit('sheet.tooLarge'))
    setFault(null)
    setBusy(true)
    try {
      const file = base64Of(await chosen.arrayBuffer())
      const found = await call(preview, { ...beside, file } as CallOf<P>, { errors: 'throw' })
      setJudged({ ...found, file, name: chosen.name, asked } as Looked<P>)
    } catch (failure) {
      setFault(failure instanceof CallFailure ? failure.message : String(failure))
    }
    setBusy(false)
  }
  return { judged, fault, isBusy, look, asked }
}

type ChooseProps = {
  template: Template
  isReady: boolean
  isBusy: boolean
  name: string | null
  onChoose: (chosen: File | undefined) => void
}

function Choose({ template, isReady, isBusy, name, onChoose }: ChooseProps) {
  const kit = useText('admin')
  const file = useRef<HTMLInputElement>(null)
  const download = async () => {
    const made = await call(template, {} as CallOf<Template>)
    saveFile(made.name, new Blob([bytesOf(made.dataBase64)], { type: XLSX }))
  }
  return (
    <div className="list-actions">
      <button type="button" className="btn" onClick={() => void download()}>
        {kit('sheet.template')}
      </button>
      <input
        ref={file}
        type="file"
        className="hidden-text"
        tabIndex={-1}
        aria-label={kit('sheet.choose')}
        accept=".xlsx,.csv,text/csv"
        disabled={!isReady}
        onChange={({ target }) => {
          onChoose(target.files?.[0])
          target.value = ''
        }}
      />
      <button type="button" className="btn" disabled={!isReady} onClick={() => file.current?.click()}>
        {isBusy ? kit('sheet.reading') : (name ?? kit('sheet.choose'))}
      </button>
    </div>
  )
}

function Verdict({ judged: { rows, good, faults, faultCount }, children }: { judged: Judged; children: ReactNode }) {
  const kit = useText('admin')
  const counts = { rows: countText(rows), good: countText(good), faults: countText(faultCount) }
  return (
    <>
      <p className={styles.sum} role="status">
        {kit('sheet.judged', counts)}
      </p>
      {children}
      {faults.length > 0 && (
        <ul className={styles.list} aria-label={kit('sheet.faults')} tabIndex={0}>
          {faults.map(({ row, code, column, message }) => (
            <li key={`${row} ${column} ${message}`}>
              <b>
                {kit('sheet.row', { row })} {code}
              </b>
              <span>{column}</span>
              <span className="fault">{message}</span>
            </li>
          ))}
          {faultCount > faults.length && <li>{kit('sheet.more', { count: faultCount - faults.length })}</li>}
        </ul>
      )}
    </>
  )
}
