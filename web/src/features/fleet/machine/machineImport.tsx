import { listMachines, summariseMachines } from '@aisle/contract/fleet/machine'
import { getImportTemplate, importMachines, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { MOST_SHEET_ROWS } from '@aisle/contract/kernel/sheet'
import { useState } from 'react'
import { countText } from '../../../admin/fields/number'
import { SheetImport } from '../../../shelf/sheetImport'
import { saveFile } from '../../../ui/control/files'
import { Dialog } from '../../../ui/feedback/dialog'
import { useText } from '../../../ui/text'
import styles from '../../../shelf/sheetImport.module.css'

type Made = OutputOf<typeof importMachines>['machines']

/** A sheet is imported whole or not at all, and its secrets are handed over once. */
export function MachineImport({ onClose }: { onClose: () => void }) {
  const t = useText('fleet')
  const [made, setMade] = useState<Made | null>(null)
  if (made) return <Secrets made={made} onClose={onClose} />
  return (
    <SheetImport
      title={t('import')}
      intro={t('import.intro', { most: countText(MOST_SHEET_ROWS) })}
      template={getImportTemplate}
      preview={previewMachineImport}
      write={importMachines}
      take={({ good }) => t('import.take', { count: good })}
      more={(judged) => <Sample {...judged} />}
      changes={[listMachines, summariseMachines]}
      onDone={({ machines }) => setMade(machines)}
      onClose={onClose}
    />
  )
}

function Sample({ slots, sample, faultCount }: OutputOf<typeof previewMachineImport>) {
  const t = useText('fleet')
  if (faultCount > 0) return null
  return (
    <>
      <p className="quiet">{t('import.slots', { slots: countText(slots) })}</p>
      <ul className={styles.list} aria-label={t('import.sample')} tabIndex={0}>
        {sample.map(({ code, name, merchant, point }) => (
          <li key={code}>
            <b>{code}</b>
            <span>{name}</span>
            <span className="quiet">{`${merchant} · ${point}`}</span>
          </li>
        ))}
      </ul>
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
