import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type getCoupon, voucherFields, voucherState } from '@aisle/contract/promotion/voucher'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { CopyButton } from '../../ui/control/copy'
import { Facts } from '../../ui/facts'
import { Dialog } from '../../ui/feedback/dialog'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { QrCode } from '../../ui/qrCode'
import { useText } from '../../ui/text'
import { changesOf, codeCalls, couponCalls, type VoucherCalls } from './voucherCalls'
import styles from './voucher.module.css'

type Detail = OutputOf<typeof getCoupon>

const drawerOf = (calls: VoucherCalls) =>
  function VoucherDrawer({ id }: DrawerRow) {
    const t = useText('promotion')
    const result = useEndpoint(calls.get, { id }, { errors: 'throw' })
    return (
      <RowDrawer
        result={result}
        title={({ tail, planName }) => `…${tail} · ${planName}`}
        head={({ state }) => (
          <div className="tags">
            <StateCell value={state} field={voucherFields.state} t={t} />
          </div>
        )}
        actions={(voucher) => <Verbs voucher={voucher} calls={calls} />}
      >
        {(voucher) => (
          <>
            <Orders voucher={voucher} />
            <Given voucher={voucher} calls={calls} />
          </>
        )}
      </RowDrawer>
    )
  }

export const CouponDrawer = drawerOf(couponCalls)
export const CodeDrawer = drawerOf(codeCalls)

/** Which orders it made cheaper, by how much, and which of them came to nothing. */
function Orders({ voucher: { orders } }: { voucher: Detail }) {
  const t = useText('promotion')
  return (
    <Section title={t('plan.orders')}>
      {orders.length === 0 && <p className="quiet">{t('voucher.orders.none')}</p>}
      <ul className={styles.batches}>
        {orders.map((order) => (
          <li key={order.orderId}>
            <p>
              <ScreenLink screen="jygl/ddgl" search={{ open: String(order.orderId) }}>
                {order.orderNo}
              </ScreenLink>{' '}
              <span className="quiet">{order.machineCode}</span>
            </p>
            <p>
              −<Money fen={order.fen} /> · {order.saleFen !== null && <Money fen={order.saleFen} />}{' '}
              <span className="quiet">
                {t(
                  order.releasedAt ? 'voucher.order.free' : order.spentAt ? 'voucher.order.paid' : 'voucher.order.held',
                )}
              </span>{' '}
              <When at={order.releasedAt ?? order.spentAt ?? order.usedAt} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Given({ voucher, calls }: { voucher: Detail; calls: VoucherCalls }) {
  const t = useText('promotion')
  const { memberNumber, memberName, endedAt } = voucher
  return (
    <Section title={t('voucher.facts')}>
      <Facts
        facts={[
          {
            label: t('field.planName'),
            value: (
              <ScreenLink screen={calls.plans} search={{ open: String(voucher.planId) }}>
                {voucher.planName}
              </ScreenLink>
            ),
          },
          ...(calls.kind === 'coupon'
            ? [
                {
                  label: t('field.memberName'),
                  value: memberNumber ? `${memberName} ${memberNumber}` : t('voucher.bearer'),
                },
              ]
            : [{ label: t('field.uses'), value: `${voucher.uses} / ${voucher.usesAllowed}` }]),
          { label: t('field.validFrom'), value: <When at={voucher.validFrom} /> },
          { label: t('field.expiresAt'), value: <When at={voucher.expiresAt} /> },
          { label: t('field.reason'), value: voucher.reason },
          { label: t('field.createdBy'), value: voucher.createdBy },
          { label: t('field.createdAt'), value: <When at={voucher.createdAt} /> },
          { label: t('field.merchantName'), value: voucher.merchantName },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('voucher.endedBy'), value: voucher.endedBy },
          { label: t('voucher.endReason'), value: voucher.endReason },
        ]}
      />
    </Section>
  )
}

function Verbs({ voucher: { id, state, tail }, calls }: { voucher: Detail; calls: VoucherCalls }) {
  const t = useText('promotion')
  const kernel = useText('kernel')
  const [code, setCode] = useState<string | null>(null)
  const common = { t, target: { id }, vars: { tail }, changes: changesOf(calls) }
  const isUnused = voucherState.can(state, 'cancel')
  const close = () => setCode(null)
  return (
    <>
      <CommandButton
        {...common}
        endpoint={calls.reveal}
        verb="revealVoucher"
        isEnabled={isUnused}
        onDone={(answer) => setCode(answer.code)}
      />
      <CommandButton {...common} endpoint={calls.cancel} verb="cancelVoucher" tone="danger" isEnabled={isUnused} />
      {code !== null && (
        <Dialog
          title={t('voucher.number')}
          onSubmit={close}
          onCancel={close}
          actions={
            <button type="submit" className="btn btn-main">
              {kernel('action.close')}
            </button>
          }
        >
          <QrCode text={code} className={styles.qr} label={t('voucher.qr')} />
          <p>
            <strong className={styles.number}>{code.replace(/(.{4})(?=.)/g, '$1-')}</strong> <CopyButton text={code} />
          </p>
          <p className="quiet">{t('voucher.number.note')}</p>
        </Dialog>
      )}
    </>
  )
}
