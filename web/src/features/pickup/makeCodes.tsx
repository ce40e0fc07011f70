import { addBatch, batchFields, getBatch, listBatches, previewBatch } from '@aisle/contract/pickup/batch'
import { listPickupCodes, summarisePickupCodes } from '@aisle/contract/pickup/pickupCode'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { useRouter } from '@tanstack/react-router'
import { useDeferredValue, useRef, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { FormBody } from '../../admin/form/formBody'
import { useFocusFault } from '../../admin/form/focus'
import { useLeaveGuard } from '../../admin/form/leave'
import { MerchantInput } from '../../admin/form/refInput'
import { useForm } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { ContentInput, QuantityContext } from './contentInput'
import { MakePreview } from './makePreview'
import { GroupsInput, MachinesInput, PointsInput } from './placesInput'
import formStyles from '../../admin/form/form.module.css'

/** One code or a hundred thousand: what they give, where and until when is shown before they are made. */
export function MakeCodes() {
  const t = useText('pickup')
  const [isOpen, setOpen] = useState(false)
  if (!can(addBatch.access)) return null
  return (
    <>
      <button type="button" className="btn btn-main" onClick={() => setOpen(true)}>
        {t('make.open')}
      </button>
      {isOpen && <MakeDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const names = [
  'merchantId',
  'description',
  'content',
  'quantity',
  'pickupsAllowed',
  'count',
  'scope',
  'machineIds',
  'pointIds',
  'groupIds',
  'expiresOn',
] as const
const inputs = {
  merchantId: MerchantInput,
  content: ContentInput,
  machineIds: MachinesInput,
  pointIds: PointsInput,
  groupIds: GroupsInput,
}
const namesOfScope: Record<string, string> = { machines: 'machineIds', points: 'pointIds', groups: 'groupIds' }
const needed = Object.values(namesOfScope)
/** Places of another kind than the scope mean nothing. */
const without = ({ scope }: Readonly<Record<string, unknown>>) =>
  Object.entries(namesOfScope).flatMap(([each, name]) => (each === scope ? [] : [name]))

function MakeDialog({ onClose }: { onClose: () => void }) {
  const t = useText('pickup')
  const { history } = useRouter()
  const holder = useRef<HTMLDivElement>(null)
  const merchantId = useOwnMerchant()
  const initial = { merchantId, quantity: 1, pickupsAllowed: 1, count: 1, scope: 'all' }
  const spec = { endpoint: addBatch, t, fields: batchFields, names, inputs, without, needed, initial }
  const form = useForm(spec, async ({ id }, { count }) => {
    toast('good', t('make.done', { count: countText(Number(count)) }))
    onClose()
    await refetch(listPickupCodes, listBatches, getBatch, summarisePickupCodes)
    history.push(`${screenOf('jygl/qhmgl').path}?part=batches&open=${id}`)
  })
  const failed = useFocusFault(holder, form.failure)
  const mayLeave = useLeaveGuard(form.isDirty, form.isDone)
  const cancel = async () => {
    if (await mayLeave()) onClose()
  }
  const wanted = useDeferredValue(form.payload)
  const isWhole = previewBatch.input.safeParse(wanted).success
  const preview = useEndpoint(previewBatch, wanted as CallOf<typeof previewBatch>, {
    errors: 'silent',
    enabled: isWhole,
    staleTime: 0,
    gcTime: 0,
  })
  const { data } = preview
  const isRefused = isWhole && (preview.error !== null || data?.isOverLimit === true)
  return (
    <Dialog
      title={t('make.title')}
      isWide
      onSubmit={() => !isRefused && (form.submit() || failed())}
      onCancel={() => void cancel()}
      actions={
        <DialogButtons
          onCancel={() => void cancel()}
          send={t('make.send', { count: countText(Number(form.values.count) || 0) })}
          isBusy={form.isPending || isRefused}
        />
      }
    >
      <div ref={holder} className={formStyles.body}>
        <QuantityContext value={(quantity) => form.set('quantity', quantity)}>
          <FormBody spec={spec} form={form} isFirstFocused={merchantId === null} />
        </QuantityContext>
      </div>
      {isWhole ? (
        <MakePreview preview={data} failure={preview.error} />
      ) : (
        <p className="quiet">{t('preview.waiting')}</p>
      )}
    </Dialog>
  )
}

/** Whoever works for one merchant need not say which; the platform has no codes of its own to give. */
function useOwnMerchant(): number | null {
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000 })
  const items = data?.items ?? []
  const ids = new Set(items.map(({ id }) => id))
  const [top] = items.filter(({ parentId }) => parentId === null || !ids.has(parentId))
  return top && top.parentId !== null ? top.id : null
}
