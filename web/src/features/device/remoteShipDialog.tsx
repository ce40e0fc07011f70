import { listRemoteShips, previewRemoteShip, remoteShip } from '@aisle/contract/device/remoteShip'
import { listMachines, listSlots } from '@aisle/contract/fleet/machine'
import { useRef, useState } from 'react'
import { FormBody } from '../../admin/form/formBody'
import { useFocusFault } from '../../admin/form/focus'
import { controlProps, type InputProps } from '../../admin/form/input'
import { refInput } from '../../admin/form/refInput'
import { useForm } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog } from '../../ui/feedback/dialog'
import { Money } from '../../ui/money'
import { toast } from '../../ui/feedback/notice'
import { Picture } from '../../ui/picture'
import { useText } from '../../ui/text'
import styles from './device.module.css'
import formStyles from '../../admin/form/form.module.css'
import { classes } from '../../ui/classes'

export function RemoteShipButton() {
  const t = useText('device')
  const [isOpen, setOpen] = useState(false)
  if (!can(remoteShip.access)) return null
  return (
    <>
      <button type="button" className="btn btn-main" onClick={() => setOpen(true)}>
        {t('ship.open')}
      </button>
      {isOpen && <ShipDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const MachineIdInput = refInput({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})

/** First what and why; then once more what exactly will fall out where, before anything turns. */
function ShipDialog({ onClose }: { onClose: () => void }) {
  const t = useText('device')
  const kernel = useText('kernel')
  const holder = useRef<HTMLDivElement>(null)
  const [isLooking, setLooking] = useState(false)
  const spec = {
    endpoint: remoteShip,
    t,
    names: ['id', 'slot', 'orderNo', 'customer', 'reason'],
    inputs: { id: MachineIdInput, slot: SlotInput },
    fields: { orderNo: { kind: 'code' as const } },
  }
  const form = useForm(spec, async () => {
    toast('good', t('ship.done'))
    onClose()
    await refetch(listRemoteShips)
  })
  const failed = useFocusFault(holder, form.failure)
  const submit = () => {
    if (!form.check()) return failed()
    if (!isLooking) return setLooking(true)
    if (!form.submit()) failed()
  }
  return (
    <Dialog
      title={t('ship.title')}
      onSubmit={submit}
      onCancel={onClose}
      actions={
        <>
          <button type="button" className="btn" onClick={() => (isLooking ? setLooking(false) : onClose())}>
            {isLooking ? t('ship.back') : kernel('action.cancel')}
          </button>
          <button
            type="submit"
            className={classes('btn', isLooking ? 'btn-danger' : 'btn-main')}
            disabled={form.isPending}
          >
            {isLooking ? t('ship.send') : t('ship.look')}
          </button>
        </>
      }
    >
      {isLooking && <SecondLook values={form.values} />}
      <div ref={holder} className={formStyles.body} hidden={isLooking && !form.failure}>
        <FormBody spec={spec} form={form} isFirstFocused />
      </div>
    </Dialog>
  )
}

/** Slots of the machine that was chosen, with what is in them. */
function SlotInput(props: InputProps) {
  const t = useText('device')
  const kit = useText('admin')
  const machineId = Number(props.values.id) || 0
  const { data } = useEndpoint(listSlots, { id: machineId }, { errors: 'silent', enabled: machineId > 0 })
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'string' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value)}
    >
      <option value="">{machineId > 0 ? kit('form.choose') : t('ship.machineFirst')}</option>
      {data?.items.map(({ code, productName, stock }) => (
        <option key={code} value={code}>
          {productName ? t('ship.slot', { code, productName, stock }) : code}
        </option>
      ))}
    </select>
  )
}

function SecondLook({ values }: { values: Readonly<Record<string, unknown>> }) {
  const t = useText('device')
  const { id, slot, orderNo } = values
  const { data, isFetching } = useEndpoint(
    previewRemoteShip,
    { id: Number(id), slot: String(slot ?? ''), ...(orderNo ? { orderNo: String(orderNo) } : {}) },
    { staleTime: 0 },
  )
  // What was seen a while ago is no second look: since then it may have fallen out.
  if (!data || isFetching) return <p className="quiet">{t('many.counting')}</p>
  const { productName, picture, machineCode, machineName, pointName, stock, costFen, refusal } = data
  if (refusal) {
    return (
      <p className={styles.rolloutStopped} role="alert">
        {refusal.msg}
      </p>
    )
  }
  return (
    <div className={styles.secondLook} role="status">
      <Picture src={picture} size={64} />
      <div>
        <strong>{productName}</strong>
        <p>{t('ship.where', { code: machineCode, name: machineName, point: pointName, slot: data.slot, stock })}</p>
        <p>
          {orderNo ? t('ship.forOrder', { orderNo: String(orderNo) }) : t('ship.free')}{' '}
          {!orderNo && costFen !== null && <Money fen={costFen} />}
        </p>
      </div>
    </div>
  )
}
