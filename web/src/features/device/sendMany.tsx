import { batchFields, listBatches, type MachineFilter, previewBatch, sendBatch } from '@aisle/contract/device/batch'
import { listCommands } from '@aisle/contract/device/command'
import { namesOf, type SendableType, sendableTypes } from '@aisle/contract/device/sendable'
import { listSelfChecks } from '@aisle/contract/device/selfCheck'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { FormBody } from '../../admin/form/formBody'
import { useFocusFault } from '../../admin/form/focus'
import { useForm } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { MachineFilterFields } from './machineFilter'
import styles from './device.module.css'
import formStyles from '../../admin/form/form.module.css'

/** Asks many machines for one thing: whom, what, how many can't and why, and only then it is sent. */
export function SendMany() {
  const t = useText('device')
  const [isOpen, setOpen] = useState(false)
  if (!can(sendBatch.access)) return null
  return (
    <>
      <button type="button" className="btn btn-main" onClick={() => setOpen(true)}>
        {t('many.open')}
      </button>
      {isOpen && <ManyDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const dataNames = ['hours', 'volume', 'brightness'] as const
const isSendable = (value: unknown): value is SendableType => sendableTypes.some((type) => type === value)

function ManyDialog({ onClose }: { onClose: () => void }) {
  const t = useText('device')
  const { history } = useRouter()
  const holder = useRef<HTMLDivElement>(null)
  const [filter, setFilter] = useState<MachineFilter>({})
  const [type, setType] = useState<SendableType>('self_check')
  const preview = useEndpoint(previewBatch, { type, machines: { filter } }, { errors: 'silent', staleTime: 0 })
  const { data } = preview
  const spec = {
    endpoint: sendBatch,
    t,
    fields: batchFields,
    names: ['type', ...dataNames, 'reason'],
    initial: { type: 'self_check' },
    target: { machines: { filter, count: data?.count ?? 0 } },
    without: ({ type: chosen }: Record<string, unknown>) => {
      const takes: readonly string[] = isSendable(chosen) ? namesOf(chosen) : []
      return dataNames.filter((name) => !takes.includes(name))
    },
  }
  const form = useForm(spec, async ({ id, asked }) => {
    toast('good', t('many.done', { count: countText(asked) }))
    onClose()
    await refetch(listBatches, listCommands, listSelfChecks)
    history.push(`${screenOf('shj/jqzc').path}?part=batches&open=${id}`)
  })
  const failed = useFocusFault(holder, form.failure)
  if (isSendable(form.values.type) && form.values.type !== type) setType(form.values.type)
  const isReady = data !== undefined && !preview.isFetching && data.willBeAsked > 0
  return (
    <Dialog
      title={t('many.title')}
      isWide
      onSubmit={() => isReady && (form.submit() || failed())}
      onCancel={onClose}
      actions={
        <DialogButtons
          onCancel={onClose}
          send={t('many.send', { count: countText(data?.willBeAsked ?? 0) })}
          isBusy={!isReady || form.isPending}
        />
      }
    >
      <MachineFilterFields filter={filter} onChange={setFilter} />
      <Preview preview={data} />
      <div ref={holder} className={formStyles.body}>
        <FormBody spec={{ ...spec, target: { ...spec.target, machines: null } }} form={form} />
      </div>
    </Dialog>
  )
}

function Preview({ preview }: { preview: OutputOf<typeof previewBatch> | undefined }) {
  const t = useText('device')
  if (!preview) return <p className="quiet">{t('many.counting')}</p>
  const { count, willBeAsked, away, leftOut, expiresInMinutes } = preview
  return (
    <div className={styles.preview} role="status">
      <p>
        {t('many.found', { count: countText(count), asked: countText(willBeAsked) })}
        {away > 0 && ` ${t('many.away', { count: countText(away) })}`} {lifetime(expiresInMinutes, t)}
      </p>
      {leftOut.map(({ block, count: some, codes }) => (
        <p key={block} className="quiet">
          {t('batch.leftOut', { why: t(`outcome.${block}`), count: some })}
          {': '}
          {codes.join(' ')}
          {some > codes.length && ' …'}
        </p>
      ))}
    </div>
  )
}

function lifetime(minutes: number, t: ReturnType<typeof useText<'device'>>): string {
  if (minutes < 120) return t('many.minutes', { count: minutes })
  const hours = Math.round(minutes / 60)
  return hours < 72 ? t('many.hours', { count: hours }) : t('many.days', { count: Math.round(hours / 24) })
}
