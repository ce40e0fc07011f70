import { itemState } from '@aisle/contract/trade/states'
import type { Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { getRefundable } from '@aisle/contract/refund/refund'
import { applyRefund } from '@aisle/contract/refund/verbs'
import { moneyText } from '@aisle/contract/kernel/text'
import { useState } from 'react'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { Money } from '../../ui/money'
import { toast } from '../../ui/feedback/notice'
import { useLanguage, useText } from '../../ui/text'
import { Reasons } from '../../admin/form/reasons'
import { Failure } from '../../admin/failure'
import { fenOf } from '../../ui/amount'
import { Fault } from '../../admin/form/fault'
import styles from './orderRefund.module.css'
import { classes } from '../../ui/classes'

type Refundable = OutputOf<typeof getRefundable>

/** Asks for money to go back, by items or by an amount; grey with the reason where nothing may. */
export function RefundButton({ orderNo, changes }: { orderNo: string; changes: readonly Endpoint[] }) {
  const t = useText('refund')
  const [isOpen, setOpen] = useState(false)
  const mayAsk = can(applyRefund.access)
  const { data } = useEndpoint(getRefundable, { orderNo }, { errors: 'silent', enabled: mayAsk })
  if (!mayAsk) return null
  const why = data?.refusal?.msg
  return (
    <>
      {why && <small>{why}</small>}{' '}
      <button
        type="button"
        className="btn"
        aria-disabled={why !== undefined}
        data-hint={why}
        onClick={() => !why && setOpen(true)}
      >
        {t('verb.applyRefund')}
      </button>
      {isOpen && <RefundDialog orderNo={orderNo} changes={changes} onClose={() => setOpen(false)} />}
    </>
  )
}

function RefundDialog({
  orderNo,
  changes,
  onClose,
}: {
  orderNo: string
  changes: readonly Endpoint[]
  onClose: () => void
}) {
  const t = useText('refund')
  const kernel = useText('kernel')
  const result = useEndpoint(getRefundable, { orderNo }, { errors: 'throw', staleTime: 0 })
  const { data, error } = result
  if (data && !data.refusal) return <Asking order={data} changes={changes} onClose={onClose} />
  return (
    <Dialog
      title={t('verb.applyRefund')}
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <button type="submit" className="btn">
          {kernel('action.close')}
        </button>
      }
    >
      {data?.refusal && (
        <p className="fault" role="alert">
          {data.refusal.msg}
        </p>
      )}
      {error && <Failure failure={error} retry={() => void result.refetch()} />}
    </Dialog>
  )
}

const isOwed = ({ state, isHeld }: Refundable['items'][number]) => !isHeld && itemState.is(state, 'bad')

function Asking({ order, changes, onClose }: { order: Refundable; changes: readonly Endpoint[]; onClose: () => void }) {
  const t = useText('refund')
  const language = useLanguage()
  const [isByItems, setByItems] = useState(order.items.some(({ isHeld }) => !isHeld))
  const [chosen, setChosen] = useState<readonly number[]>(() => order.items.filter(isOwed).map(({ index }) => index))
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const command = useCommand(applyRefund, {
    errors: 'throw',
    onSuccess: async () => {
      onClose()
      toast('good', t('verb.applyRefund.done'))
      await refetch(...changes, getRefundable)
    },
  })
  const picked = order.items.filter(({ index }) => chosen.includes(index))
  const sumFen = isByItems ? picked.reduce((sum, { shareFen }) => sum + shareFen, 0) : (fenOf(typed) ?? 0)
  const isReady = sumFen > 0 && sumFen <= order.leftFen && reason.trim().length >= 2 && !command.isPending
  const send = () => {
    if (!isReady) return
    const what = isByItems ? { items: [...chosen] } : { amountFen: sumFen }
    command.mutate({ orderNo: order.orderNo, ...what, reason: reason.trim() })
  }
  const money = (fen: number) => moneyText(fen, language)
  const way = order.way === 'channel' || order.way === 'card' ? t(`way.${order.way}`) : t.any(`detail.${order.way}`)
  return (
    <Dialog
      title={t('verb.applyRefund')}
      onSubmit={send}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('verb.applyRefund')} tone="danger" isBusy={!isReady} />}
    >
      <ByChoice isByItems={isByItems} onChange={setByItems} />
      {isByItems && <Choice items={order.items} chosen={chosen} onChange={setChosen} />}
      {!isByItems && (
        <label className={classes('field', styles.line)}>
          <span>{t('apply.amount')}</span>
          <input type="text" inputMode="decimal" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </label>
      )}
      <label className={classes('field', styles.line)}>
        <span>{t('apply.reason')}</span>
        <textarea rows={2} maxLength={200} value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
      <Reasons of={applyRefund.name} value={reason} onPick={setReason} />
      <p aria-live="polite">
        <strong>{t('apply.sum', { amount: money(sumFen), left: money(order.leftFen) })}</strong>
      </p>
      <p className="quiet">{way}</p>
      {sumFen > order.limitFen && <p className="quiet">{t('apply.limit', { limit: money(order.limitFen) })}</p>}
      {command.error && <Fault failure={command.error} />}
    </Dialog>
  )
}

function ByChoice({ isByItems, onChange }: { isByItems: boolean; onChange: (isByItems: boolean) => void }) {
  const t = useText('refund')
  return (
    <fieldset className={styles.by}>
      <legend>{t('apply.by')}</legend>
      {[true, false].map((byItems) => (
        <label key={String(byItems)}>
          <input type="radio" name="by" checked={isByItems === byItems} onChange={() => onChange(byItems)} />
          {t(byItems ? 'apply.byItems' : 'apply.byAmount')}
        </label>
      ))}
    </fieldset>
  )
}

function Choice(props: {
  items: Refundable['items']
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
}) {
  const { items, chosen, onChange } = props
  const t = useText('refund')
  const words = useText('trade')
  return (
    <ul className={styles.items}>
      {items.map(({ index, productName, slotCode, state, shareFen, isHeld }) => (
        <li key={index}>
          <label>
            <input
              type="checkbox"
              disabled={isHeld}
              checked={!isHeld && chosen.includes(index)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, index] : chosen.filter((each) => each !== index))
              }
            />
            <span>
              {productName}
              <small className="quiet">
                {t('evidence.slot', { slot: slotCode })} · {isHeld ? t('apply.held') : words(`itemState.${state}`)}
              </small>
            </span>
            <Money fen={shareFen} />
          </label>
        </li>
      ))}
    </ul>
  )
}
