import * as contract from '@aisle/contract/purchase/payable'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import { SupplierInput } from './inputs'
import { OpenPayables, PaidParts } from './payableInputs'

export const shownPayables = [
  contract.listPayables,
  contract.listSupplierBalances,
  contract.listSupplierInvoices,
  contract.getSupplierInvoice,
  contract.listSupplierPayments,
  contract.getSupplierPayment,
] as const
const fields = { amountFen: { kind: 'money' } } as const

export function AddInvoice() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addSupplierInvoice}
      verb="addSupplierInvoice"
      names={['supplierId', 'payableIds', 'number', 'issuedOn', 'amountFen', 'note']}
      fields={fields}
      inputs={{ supplierId: SupplierInput, payableIds: OpenPayables }}
      changes={shownPayables}
    />
  )
}

export function PaySupplier() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.paySupplier}
      verb="paySupplier"
      tone="main"
      names={['supplierId', 'parts', 'paidOn', 'bankReference', 'note']}
      inputs={{ supplierId: SupplierInput, parts: PaidParts }}
      changes={shownPayables}
    />
  )
}
