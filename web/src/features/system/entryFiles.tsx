import { exportLanguageEntries, previewLanguageImport } from '@aisle/contract/system/languageEntry'
import { type FileFormat, printRows, readRows } from '@aisle/contract/system/languageFile'
import { useRef, useState } from 'react'
import type { ListAddress } from '../../admin/useAddress'
import { call } from '../../live/call'
import { can } from '../../live/session'
import { MenuButton } from '../../ui/control/menuButton'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { EntryImport, type Judged, judgeAll } from './entryImport'

const LARGEST_FILE = 8 * 1024 * 1024

/** A file for translators: out as it is filtered, in again with a look at what would change. */
export function EntryFiles({ address }: { address: ListAddress }) {
  const t = useText('system')
  const file = useRef<HTMLInputElement>(null)
  const [judged, setJudged] = useState<Judged | null>(null)
  const [isBusy, setBusy] = useState(false)

  const save = async (format: FileFormat) => {
    const { q, namespace, entryState } = address.query
    const { items } = await call(exportLanguageEntries, { q, namespace, entryState } as never)
    const type = format === 'csv' ? 'text/csv' : 'application/json'
    download(`aisle-texts.${format}`, new Blob([printRows(items, format)], { type }))
  }
  const take = async (chosen: File | undefined) => {
    if (!chosen || isBusy) return
    if (chosen.size > LARGEST_FILE) return toast('bad', t('entryFile.tooLarge'))
    const format = chosen.name.toLowerCase().endsWith('.json') ? 'json' : 'csv'
    const read = readRows(await chosen.text(), format)
    if (read.problem !== null) return toast('bad', t(`entryFile.${read.problem}`))
    setBusy(true)
    await judgeAll(read.rows).then(setJudged, () => undefined)
    setBusy(false)
  }
  return (
    <>
      <MenuButton
        label={t('entryFile.export')}
        className="btn"
        face={t('entryFile.export')}
        entries={(['csv', 'json'] as const).map((format) => ({
          key: format,
          label: t(`entryFile.export.${format}`),
          onPick: () => void save(format),
        }))}
      />
      {can(previewLanguageImport.access) && (
        <>
          <input
            ref={file}
            type="file"
            className="hidden-text"
            tabIndex={-1}
            aria-label={t('entryFile.choose')}
            accept=".csv,.json,text/csv,application/json"
            onChange={(event) => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <button type="button" className="btn" aria-disabled={isBusy} onClick={() => file.current?.click()}>
            {isBusy ? t('entryFile.reading') : t('entryFile.import')}
          </button>
        </>
      )}
      {judged && <EntryImport judged={judged} onClose={() => setJudged(null)} />}
    </>
  )
}

function download(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
