import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { languageNames } from '@aisle/contract/kernel/text'
import {
  importLanguageEntries,
  listLanguageEntries,
  MAX_IMPORT_ROWS,
  previewLanguageImport,
} from '@aisle/contract/system/languageEntry'
import type { LanguageRow } from '@aisle/contract/system/languageFile'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { call } from '../../live/call'
import { refetch } from '../../live/query'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import styles from './settings.module.css'

export type Judged = OutputOf<typeof previewLanguageImport>
type Change = Judged['changes'][number]

/** More are not read by anybody; their number is said. */
const MOST_SHOWN = 200

/** In parts, since a file of all texts is larger than a call may be; rows are counted over the whole file. */
export async function judgeAll(rows: readonly LanguageRow[]): Promise<Judged> {
  const whole: Judged = { changes: [], refused: [], same: 0 }
  for (let at = 0; at < rows.length; at += MAX_IMPORT_ROWS) {
    const part = await call(previewLanguageImport, { rows: rows.slice(at, at + MAX_IMPORT_ROWS) })
    whole.changes.push(...part.changes)
    whole.refused.push(...part.refused.map((each) => ({ ...each, row: each.row + at })))
    whole.same += part.same
  }
  return whole
}

/** What a file would change, and which of its rows are refused and why; nothing has changed yet. */
export function EntryImport({ judged, onClose }: { judged: Judged; onClose: () => void }) {
  const t = useText('system')
  const [isBusy, setBusy] = useState(false)
  const { changes, refused, same } = judged
  const take = async () => {
    if (isBusy || changes.length === 0) return
    setBusy(true)
    try {
      const changed = await importAll(changes)
      toast('good', t('entryFile.done', { total: countText(changed) }))
      onClose()
    } catch {
      setBusy(false)
    }
    await refetch(listLanguageEntries)
  }
  return (
    <Dialog
      title={t('entryFile.import')}
      onSubmit={() => void take()}
      onCancel={onClose}
      actions={
        <DialogButtons
          onCancel={onClose}
          send={t('entryFile.take', { total: countText(changes.length) })}
          isReady={!isBusy && changes.length > 0}
        />
      }
    >
      <p>
        {t('entryFile.judged', {
          changes: countText(changes.length),
          refused: countText(refused.length),
          same: countText(same),
        })}
      </p>
      {refused.length > 0 && (
        <details open={changes.length === 0}>
          <summary>{t('entryFile.refused', { total: countText(refused.length) })}</summary>
          <ul className={styles.importRows}>
            {refused.slice(0, MOST_SHOWN).map((each) => (
              <li key={`${each.row} ${each.language ?? ''}`}>
                <b>{t('entryFile.row', { row: each.row })}</b> <code>{`${each.namespace} ${each.key}`}</code>{' '}
                {each.language && languageNames[each.language]}{' '}
                <span className="fault">{t(`entryFile.reason.${each.reason}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {changes.length > 0 && (
        <ul className={styles.importRows} aria-label={t('entryFile.changes')}>
          {changes.slice(0, MOST_SHOWN).map((each) => (
            <ChangeLine key={`${each.namespace} ${each.key} ${each.language}`} change={each} />
          ))}
        </ul>
      )}
      {changes.length > MOST_SHOWN && <p>{t('entryFile.more', { total: countText(changes.length - MOST_SHOWN) })}</p>}
    </Dialog>
  )
}

function ChangeLine({ change: { namespace, key, language, before, after } }: { change: Change }) {
  return (
    <li>
      <code>{`${namespace} ${key}`}</code> {languageNames[language]}
      <br />
      <del>{before}</del> <ins>{after}</ins>
    </li>
  )
}

async function importAll(changes: readonly Change[]): Promise<number> {
  const rows = rowsOf(changes)
  let changed = 0
  for (let at = 0; at < rows.length; at += MAX_IMPORT_ROWS) {
    changed += (await call(importLanguageEntries, { rows: rows.slice(at, at + MAX_IMPORT_ROWS) })).changed
  }
  return changed
}

/** Only what changes is sent: a text that somebody else changed meanwhile is not taken back by the way. */
function rowsOf(changes: readonly Change[]): LanguageRow[] {
  const rows = new Map<string, LanguageRow>()
  for (const { namespace, key, language, after } of changes) {
    const name = `${namespace} ${key}`
    rows.set(name, { ...(rows.get(name) ?? { namespace, key }), [language]: after })
  }
  return [...rows.values()]
}
