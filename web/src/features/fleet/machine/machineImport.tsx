import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { listMachines, summariseMachines } from '@aisle/contract/fleet/machine'
import {
  getImportTemplate,
  importMachines,
  LARGEST_IMPORT_BYTES,
  MOST_IMPORTED,
  previewMachineImport,
} from '@aisle/contract/fleet/machineImport'
import { useRef, useState } from 'react'
import { countText } from '../../../admin/fields/number'
import { call } from '../../../live/call'
import { CallFailure } from '../../../live/failure'
import { refetch, useCommand } from '../../../live/query'
import { Dialog } from '../../../ui/feedback/dialog'
import { useText } from '../../../ui/text'
import { base64Of, bytesOf, saveFile } from '../../../ui/control/files'
import styles from './machineForm.module.css'

type Judged = OutputOf<typeof previewMachineImport> & { file: string; name: string }
type Made = OutputOf<typeof importMachines>['machines']

/** A sheet is looked at first; it is imported whole or not at all, and its secrets are handed over once. */
export function MachineImport({ onClose }: { onClose: () => void }) {
  const t = useText('fleet')
  const kernel = useText('kernel')
  const [judged, setJudged] = useState<Judged | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const importing = useCommand(importMachines, {
    errors: 'throw',
    onSuccess: ({ machines }) => {
      setMade(machines)
      return refetch(listMachines, summariseMachines)
    },
  })
  const look = async (chosen: File | undefined) => {
    if (!chosen || isBusy) return
    setJudged(null)
    if (chosen.size > LARGEST_IMPORT_BYTES) return setFault(t('import.tooLarge'))
    setFault(null)
    setBusy(true)
    try {
      const file = base64Of(await chosen.arrayBuffer())
      setJudged({ ...(await call(previewMachineImport, { file }, { errors: 'throw' })), file, name: chosen.name })
    } catch (failure) {
      setFault(failure instanceof CallFailure ? failure.message : String(failure))
    }
    setBusy(false)
  }
  const isReady = judged !== null && judged.faultCount === 0 && !importing.isPending
  if (made) return <Secrets made={made} onClose={onClose} />
  return (
    <Dialog
      title={t('import')}
      isWide
      onSubmit={() => {
        if (isReady) importing.mutate({ file: judged.file })
      }}
      onCancel={onClose}
      actions={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {kernel('action.cancel')}
          </button>
          <button type="submit" className="btn btn-main" aria-disabled={!isReady}>
            {t('import.take', { count: judged?.good ?? 0 })}
          </button>
        </>
      }
    >
      <p>{t('import.intro', { most: countText(MOST_IMPORTED) })}</p>
      <Choose isBusy={isBusy} name={judged?.name ?? null} onChoose={(file) => void look(file)} />
      {(fault ?? importing.error?.message) && (
        <p className="fault" role="alert">
          {fault ?? importing.error?.message}
        </p>
      )}
      {judged && <Verdict judged={judged} />}
    </Dialog>
  )
}

function Choose(props: { isBusy: boolean; name: string | null; onChoose: (file: File | undefined) => void }) {
  const { isBusy, name, onChoose } = props
  const t = useText('fleet')
  const file = useRef<HTMLInputElement>(null)
  const template = async () => {
    const { name: title, dataBase64 } = await call(getImportTemplate, {})
    saveFile(title, new Blob([bytesOf(dataBase64)], { type: XLSX }))
  }
  return (
    <div className="list-actions">
      <button type="button" className="btn" onClick={() => void template()}>
        {t('import.template')}
      </button>
      <input
        ref={file}
        type="file"
        className="hidden-text"
        tabIndex={-1}
        aria-label={t('import.choose')}
        accept=".xlsx,.csv,text/csv"
        onChange={({ target }) => {
          onChoose(target.files?.[0])
          target.value = ''
        }}
      />
      <button type="button" className="btn" aria-disabled={isBusy} onClick={() => file.current?.click()}>
        {isBusy ? t('import.reading') : (name ?? t('import.choose'))}
      </button>
    </div>
  )
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function Verdict({ judged }: { judged: Judged }) {
  const t = useText('fleet')
  const { rows, good, slots, faultCount, faults, sample } = judged
  const sums = {
    rows: countText(rows),
    good: countText(good),
    slots: countText(slots),
    faults: countText(faultCount),
  }
  return (
    <>
      <p className={styles.sum} role="status">
        {t('import.judged', sums)}
      </p>
      {faults.length > 0 ? (
        <ul className={styles.list} aria-label={t('import.faults')} tabIndex={0}>
          {faults.map(({ row, code, column, message }) => (
            <li key={`${row} ${column} ${message}`}>
              <b>
                {t('import.row', { row })} {code}
              </b>
              <span>{column}</span>
              <span className="fault">{message}</span>
            </li>
          ))}
          {faultCount > faults.length && <li>{t('import.more', { count: faultCount - faults.length })}</li>}
        </ul>
      ) : (
        <ul className={styles.list} aria-label={t('import.sample')} tabIndex={0}>
          {sample.map(({ code, name, merchant, point }) => (
            <li key={code}>
              <b>{code}</b>
              <span>{name}</span>
              <span className="quiet">{`${merchant} · ${point}`}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Only taking the file ends it. */
function Secrets({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useText('fleet')
  const kit = useText('admin')
  const [isSaved, setSaved] = useState(false)
  const save = () => {
    const text = ['code,secret', ...made.map(({ code, secret }) => `${code},${secret}`)].join('\r\n')
    saveFile('aisle-secrets.csv', new Blob([`${text}\r\n`], { type: 'text/csv' }))
    setSaved(true)
  }
  return (
    <Dialog
      title={t('import.done', { count: made.length })}
      onSubmit={() => {
        if (isSaved) onClose()
      }}
      actions={
        <>
          <button type="button" className={isSaved ? 'btn' : 'btn btn-main'} onClick={save}>
            {t('import.secretsFile')}
          </button>
          <button type="submit" className={isSaved ? 'btn btn-main' : 'btn'} aria-disabled={!isSaved}>
            {kit('secret.saved')}
          </button>
        </>
      }
    >
      <p>{t('import.secrets')}</p>
    </Dialog>
  )
}
