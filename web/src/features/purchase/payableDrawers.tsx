import * as contract from '@aisle/contract/purchase/payable'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { shownPayables } from './payableVerbs'

type Invoice = OutputOf<typeof contract.getSupplierInvoice>
type Payment = OutputOf<typeof contract.getSupplierPayment>
type Words = ReturnType<typeof useText<'purchase'>>

/** What it asks beside what was agreed, and who agrees to the difference. */
export function InvoiceDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getSupplierInvoice, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ number, supplierName }) => `${number} · ${supplierName}`}
      head={({ state }) => <StateCell value={state} field={contract.supplierInvoiceFields.state} t={t} />}
      actions={(invoice) => <InvoiceVerbs invoice={invoice} />}
    >
      {(invoice) => (
        <>
          <Lines lines={invoice.lines} />
          <Section title={t('order.facts')}>
            <Facts
              facts={[
                { label: t('field.issuedOn'), value: <Day on={invoice.issuedOn} /> },
                { label: t('field.amountFen'), value: <Money fen={invoice.amountFen} /> },
                { label: t('field.agreedFen'), value: <Money fen={invoice.agreedFen} /> },
                { label: t('field.differenceFen'), value: <Money fen={invoice.differenceFen} /> },
                ...decidedOf(t, invoice),
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function InvoiceVerbs({ invoice: { id, number, state, mayDecide } }: { invoice: Invoice }) {
  const t = useText('purchase')
  if (!contract.supplierInvoiceState.can(state, 'accept')) return null
  const common = { t, target: { id }, vars: { number }, changes: shownPayables }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.acceptSupplierInvoice}
        verb="acceptSupplierInvoice"
        tone="main"
        isEnabled={mayDecide}
      />
      <CommandButton {...common} endpoint={contract.refuseSupplierInvoice} verb="refuseSupplierInvoice" tone="danger" />
    </>
  )
}

/** What was paid of what, and what the bank calls it. */
export function PaymentDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getSupplierPayment, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, supplierName }) => `${no} · ${supplierName}`}
      head={({ state }) => <StateCell value={state} field={contract.supplierPaymentFields.state} t={t} />}
      actions={(payment) => <PaymentVerbs payment={payment} />}
    >
      {(payment) => (
        <>
          <Lines lines={payment.lines} />
          <Section title={t('order.facts')}>
            <Facts
              facts={[
                { label: t('field.amountFen'), value: <Money fen={payment.amountFen} /> },
                { label: t('field.paidOn'), value: <Day on={payment.paidOn} /> },
                { label: t('field.bankReference'), value: payment.bankReference },
                ...decidedOf(t, payment),
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function PaymentVerbs({ payment: { id, no, state, mayDecide, mayTakeBack } }: { payment: Payment }) {
  const t = useText('purchase')
  const can = (verb: keyof typeof contract.supplierPaymentState.moves) => contract.supplierPaymentState.can(state, verb)
  const common = { t, target: { id }, vars: { no }, changes: shownPayables }
  return (
    <>
      {can('approve') && (
        <>
          <CommandButton
            {...common}
            endpoint={contract.approveSupplierPayment}
            verb="approveSupplierPayment"
            tone="main"
            isEnabled={mayDecide}
          />
          <CommandButton
            {...common}
            endpoint={contract.refuseSupplierPayment}
            verb="refuseSupplierPayment"
            tone="danger"
          />
        </>
      )}
      {can('takeBack') && (
        <CommandButton
          {...common}
          endpoint={contract.takeBackSupplierPayment}
          verb="takeBackSupplierPayment"
          tone="danger"
          isEnabled={mayTakeBack}
        />
      )}
    </>
  )
}

function Lines({ lines }: Pick<Invoice, 'lines'>) {
  const t = useText('purchase')
  return (
    <Section title={t('part.payables')}>
      <ul className={lined.lines}>
        {lines.map(({ id, receiptNo, kind, amountFen }) => (
          <li key={id}>
            <span className={lined.what}>
              {receiptNo ? (
                <ScreenLink screen="jxcgl/rkdj" search={{ q: receiptNo }}>
                  {receiptNo}
                </ScreenLink>
              ) : (
                t(`payableKind.${kind}`)
              )}
            </span>
            <Money fen={amountFen} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function decidedOf(t: Words, { writer, writtenAt, decider, decidedAt, note, merchantName }: Invoice | Payment) {
  return [
    { label: t('field.writer'), value: writer },
    { label: t('field.writtenAt'), value: <When at={writtenAt} /> },
    { label: t('field.decider'), value: decider },
    { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
    { label: t('field.note'), value: note },
    { label: t('field.merchantName'), value: merchantName },
  ]
}
