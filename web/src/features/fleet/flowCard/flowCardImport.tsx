import {
  getFlowCardTemplate,
  importFlowCards,
  listFlowCards,
  MOST_CARD_ROWS,
  previewFlowCards,
  summariseFlowCards,
} from '@aisle/contract/fleet/flowCard'
import { LARGEST_IMPORT_BYTES } from '@aisle/contract/fleet/machineImport'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { useId, useRef, useState } from 'react'
import { countText } from '../../../admin/fields/number'
import { call } from '../../../live/call'
import { CallFailure } from '../../../live/failure'
import { refetch, useCommand, useEndpoint } from '../../../live/query'
import { Dialog } from '../../../ui/feedback/dialog'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { base64Of, bytesOf, saveFile } from '../../../ui/control/files'
import styles from '../machine/machineForm.module.css'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
type Judged = OutputOf<typeof previewFlowCards> & { file: string; name: string }

/** A sheet of cards is looked at first, cell by cell; it is imported whole or not at all. */
export function FlowCardImport({ onClose }: { onClose: () => void }) {
  const t = useText('fleet')
  const kernel = useText('kernel')
  const [merchantId, setMerchant] = useState<number | null>(null)
  const [judged, setJudged] = useState<Judged | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const importing = useCommand(importFlowCards, {
    errors: 'throw',
    onSuccess: ({ added }) => {
      toast('good', t('flowCard.imported', { count: added }))
      onClose()
      return refetch(listFlowCards, summariseFlowCards)
    },
  })
  const look = async (chosen: File | undefined) => {
    if (!chosen || isBusy || merchantId === null) return
    setJudged(null)
    setFault(null)
    setBusy(true)
    const found = await verdictOf(chosen, merchantId, t('import.tooLarge'))
    if (typeof found === 'string') setFault(found)
    else setJudged(found)
    setBusy(false)
  }
  const isReady = merchantId !== null && judged !== null && judged.faultCount === 0 && !importing.isPending
  const wrong = fault ?? importing.error?.message
  return (
    <Dialog
      title={t('flowCard.import')}
      isWide
      onSubmit={() => {
        if (isReady) importing.mutate({ merchantId, file: judged.file })
      }}
      onCancel={onClose}
      actions={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {kernel('action.cancel')}
          </button>
          <button type="submit" className="btn btn-main" aria-disabled={!isReady}>
            {t('flowCard.take', { count: judged?.good ?? 0 })}
          </button>
        </>
      }
    >
      <p>{t('flowCard.intro', { most: countText(MOST_CARD_ROWS) })}</p>
      <Owner
        value={merchantId}
        onPick={(next) => {
          setMerchant(next)
          setJudged(null)
        }}
      />
      <Choose
        isReady={merchantId !== null && !isBusy}
        name={judged?.name ?? null}
        onChoose={(file) => void look(file)}
      />
      {wrong && (
        <p className="fault" role="alert">
          {wrong}
        </p>
      )}
      {judged && <Verdict judged={judged} />}
    </Dialog>
  )
}

/** What the server thinks of the sheet, or why it could not be asked. */
async function verdictOf(chosen: File, merchantId: number, tooLarge: string): Promise<Judged | string> {
  if (chosen.size > LARGEST_IMPORT_BYTES) return tooLarge
  try {
    const file = base64Of(await chosen.arrayBuffer())
    return { ...(await call(previewFlowCards, { merchantId, file }, { errors: 'throw' })), file, name: chosen.name }
  } catch (failure) {
    return failure instanceof CallFailure ? failure.message : String(failure)
  }
}

function Owner({ value, onPick }: { value: number | null; onPick: (merchantId: number | null) => void }) {
  const t = useText('fleet')
  const kit = useText('admin')
  const id = useId()
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000 })
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {t('field.merchantId')}
      </label>
      <select id={id} value={value ?? ''} onChange={({ target }) => onPick(Number(target.value) || null)}>
        <option value="">{kit('form.choose')}</option>
        {data?.items.map((merchant) => (
          <option key={merchant.id} value={merchant.id}>
            {merchant.name}
          </option>
        ))}
      </select>
    </div>
  )
}

type ChooseProps = { isReady: boolean; name: string | null; onChoose: (file: File | undefined) => void }

function Choose({ isReady, name, onChoose }: ChooseProps) {
  const t = useText('fleet')
  const file = useRef<HTMLInputElement>(null)
  const template = async () => {
    const { name: title, dataBase64 } = await call(getFlowCardTemplate, {})
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
        disabled={!isReady}
        onChange={({ target }) => {
          onChoose(target.files?.[0])
          target.value = ''
        }}
      />
      <button type="button" className="btn" disabled={!isReady} onClick={() => file.current?.click()}>
        {name ?? t('import.choose')}
      </button>
    </div>
  )
}

function Verdict({ judged: { rows, good, faults, faultCount } }: { judged: Judged }) {
  const t = useText('fleet')
  const left = faultCount - faults.length
  return (
    <>
      <p role="status">
        {t('flowCard.judged', { rows: countText(rows), good: countText(good), faults: countText(faultCount) })}
      </p>
      {faults.length > 0 && (
        <ul className={styles.list} aria-label={t('import.faults')} tabIndex={0}>
          {faults.map(({ row, column, fault, value }) => (
            <li key={`${row} ${column} ${fault}`}>
              <b>{t('import.row', { row })}</b>
              <span>
                {t(`field.${column}`)} {value}
              </span>
              <span className="fault">{t(`flowCard.fault.${fault}`)}</span>
            </li>
          ))}
          {left > 0 && <li>{t('import.more', { count: left })}</li>}
        </ul>
      )}
    </>
  )
}
