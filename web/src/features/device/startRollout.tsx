import { type MachineFilter, previewBatch } from '@aisle/contract/device/batch'
import { listPackages, listRollouts, startRollout, usualWaves } from '@aisle/contract/device/software'
import { useRef, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { FormBody } from '../../admin/form/formBody'
import { useFocusFault } from '../../admin/form/focus'
import { controlProps, type InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/refInput'
import { useForm } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { MachineFilterFields } from './machineFilter'
import styles from './device.module.css'
import formStyles from '../../admin/form/form.module.css'

const PackageInput = refInput({
  list: listPackages,
  optionOf: ({ id, version, notes }) => ({ value: id, word: version, note: notes.slice(0, 60) }),
})

/** Plans of waves that people choose between; the usual one first. */
const plans: Readonly<Record<string, readonly number[]>> = {
  usual: usualWaves,
  careful: [1, 5, 10, 25, 50, 100],
  quick: [10, 100],
  once: [100],
}

export function StartRollout() {
  const t = useText('device')
  const [isOpen, setOpen] = useState(false)
  if (!can(startRollout.access)) return null
  return (
    <>
      <button type="button" className="btn btn-main" onClick={() => setOpen(true)}>
        {t('verb.startRollout')}
      </button>
      {isOpen && <RolloutDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function RolloutDialog({ onClose }: { onClose: () => void }) {
  const t = useText('device')
  const holder = useRef<HTMLDivElement>(null)
  const [filter, setFilter] = useState<MachineFilter>({})
  // Counted as any question to many machines is; a week's command waits for those that are away.
  const { data } = useEndpoint(previewBatch, { type: 'upload_snapshot', machines: { filter } }, { errors: 'silent' })
  const count = data?.count ?? 0
  const spec = {
    endpoint: startRollout,
    t,
    names: ['packageId', 'waves', 'failureLimitPercent', 'reason'],
    fields: { failureLimitPercent: { kind: 'percent' as const } },
    inputs: { packageId: PackageInput, waves: WavesInput },
    initial: { waves: [...usualWaves], failureLimitPercent: 5 },
    target: { filter, count },
  }
  const form = useForm(spec, async () => {
    toast('good', t('verb.startRollout.done'))
    onClose()
    await refetch(listRollouts)
  })
  const failed = useFocusFault(holder, form.failure)
  return (
    <Dialog
      title={t('verb.startRollout')}
      isWide
      onSubmit={() => count > 0 && (form.submit() || failed())}
      onCancel={onClose}
      actions={
        <DialogButtons onCancel={onClose} send={t('verb.startRollout')} isBusy={count === 0 || form.isPending} />
      }
    >
      <MachineFilterFields filter={filter} onChange={setFilter} />
      <p className={styles.preview} role="status">
        {t('software.found', { count: countText(count) })}
      </p>
      <div ref={holder} className={formStyles.body}>
        <FormBody spec={spec} form={form} />
      </div>
    </Dialog>
  )
}

function WavesInput(props: InputProps) {
  const t = useText('device')
  const chosen = Object.entries(plans).find(([, waves]) => JSON.stringify(waves) === JSON.stringify(props.value))?.[0]
  return (
    <select
      {...controlProps(props)}
      value={chosen ?? 'usual'}
      onChange={({ target }) => props.onChange([...(plans[target.value] ?? usualWaves)])}
    >
      {Object.entries(plans).map(([name, waves]) => (
        <option key={name} value={name}>
          {t.any(`waves.${name}`)} {waves.map((percent) => `${percent} %`).join(' → ')}
        </option>
      ))}
    </select>
  )
}
