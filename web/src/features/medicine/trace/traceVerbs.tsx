import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Fields } from '@aisle/contract/kernel/field'
import {
  destroyTraces,
  findTrace,
  getTrace,
  listTraces,
  listUncoded,
  registerTraces,
  summariseTraces,
  takeBackTraces,
  type TraceTold,
} from '@aisle/contract/medicine/trace'
import { listTraceUploads, summariseTraceUploads } from '@aisle/contract/medicine/traceUpload'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { countText } from '../../../admin/fields/number'
import { MerchantInput } from '../../../admin/form/refInput'
import { ScansInput } from '../../../shelf/scansInput'
import { MachineInput } from '../../../shelf/machineInput'
import { Dialog } from '../../../ui/feedback/dialog'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { TraceCodesInput } from './traceCodesInput'
import styles from './trace.module.css'

const changes: readonly Endpoint[] = [
  listTraces,
  summariseTraces,
  getTrace,
  findTrace,
  listUncoded,
  listTraceUploads,
  summariseTraceUploads,
]
const inputs = {
  merchantId: MerchantInput,
  machineCode: MachineInput,
  codes: TraceCodesInput,
  pictures: ScansInput,
}
const fields: Fields = { batch: { kind: 'code' }, holder: { kind: 'code' }, reference: { kind: 'text' } }
const reasoned = ['merchantId', 'codes', 'reason']
const bound = [
  'merchantId',
  'productCode',
  'batch',
  'codes',
  'level',
  'holder',
  'machineCode',
  'slotCode',
  'reference',
  'pictures',
]

/** What a person does with many codes at once; what could not be done comes back line by line. */
export function TraceVerbs() {
  const t = useText('medicine')
  const [told, setTold] = useState<TraceTold | null>(null)
  const done = (output: TraceTold) => {
    toast('good', t('trace.told', { bound: countText(output.bound), known: countText(output.known) }))
    if (output.left.length > 0) setTold(output)
  }
  const shared = { t, fields, inputs, changes, onDone: done }
  return (
    <>
      <CommandButton
        {...shared}
        endpoint={registerTraces}
        verb="registerTraces"
        tone="main"
        names={bound}
        initial={{ level: 'pack' }}
      />
      <CommandButton {...shared} endpoint={takeBackTraces} verb="takeBackTraces" names={reasoned} />
      <CommandButton {...shared} endpoint={destroyTraces} verb="destroyTraces" tone="danger" names={reasoned} />
      {told && <Left told={told} onClose={() => setTold(null)} />}
    </>
  )
}

const MOST_SHOWN = 500

/** With nothing of these lines anything happened: they are shown with why, to be looked at and entered again. */
function Left({ told, onClose }: { told: TraceTold; onClose: () => void }) {
  const t = useText('medicine')
  const kernel = useText('kernel')
  const { left } = told
  return (
    <Dialog
      title={t('trace.left', { count: left.length })}
      isWide
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <>
          <button
            type="button"
            className="btn"
            onClick={() => void navigator.clipboard.writeText(left.map(({ code }) => code).join('\n'))}
          >
            {t('trace.left.copy')}
          </button>
          <button type="submit" className="btn btn-main">
            {kernel('action.close')}
          </button>
        </>
      }
    >
      <ul className={styles.left} tabIndex={0} aria-label={t('trace.left', { count: left.length })}>
        {left.slice(0, MOST_SHOWN).map(({ line, code, outcome }) => (
          <li key={line}>
            <span>
              {line} · {code}
            </span>
            <span className="fault">{t.any(`traceOutcome.${outcome}`)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
