import * as contract from '@aisle/contract/purchase/order'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import { SupplierInput, WarehouseInput } from './inputs'
import { OrderLines } from './orderLines'

export type OrderDetail = OutputOf<typeof contract.getPurchaseOrder>
export const shownOrders = [
  contract.listPurchaseOrders,
  contract.getPurchaseOrder,
  contract.summarisePurchaseOrders,
] as const
const inputs = { supplierId: SupplierInput, warehouseId: WarehouseInput, lines: OrderLines }

export function AddOrder() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addPurchaseOrder}
      verb="addPurchaseOrder"
      tone="main"
      names={['supplierId', 'warehouseId', 'lines', 'dueOn', 'note']}
      inputs={inputs}
      changes={shownOrders}
    />
  )
}

/** The next step stands first; what the state does not allow now is grey and says why. */
export function OrderVerbs({ order }: { order: OrderDetail }) {
  const t = useText('purchase')
  const { id, no, supplierName, state, fault, mayApprove, lines } = order
  const common = { t, target: { id }, vars: { no, name: supplierName }, changes: shownOrders }
  const can = (verb: keyof typeof contract.purchaseOrderState.moves) => contract.purchaseOrderState.can(state, verb)
  const isShort = lines.some(({ received, pieces }) => received < pieces)
  const isClaimed = lines.some(({ received, waiting }) => received + waiting > 0)
  return (
    <>
      {can('submit') && (
        <CommandButton
          {...common}
          endpoint={contract.submitPurchaseOrder}
          verb="submitPurchaseOrder"
          tone="main"
          isEnabled={fault === null}
        />
      )}
      {can('approve') && (
        <CommandButton
          {...common}
          endpoint={contract.approvePurchaseOrder}
          verb="approvePurchaseOrder"
          tone="main"
          isEnabled={mayApprove && fault === null}
        />
      )}
      {can('send') && (
        <CommandButton
          {...common}
          endpoint={contract.sendPurchaseOrder}
          verb="sendPurchaseOrder"
          tone="main"
          fields={{ how: contract.purchaseOrderFields.sentHow }}
          isEnabled={fault === null}
        />
      )}
      {can('submit') && <EditOrder order={order} />}
      {can('reject') && (
        <CommandButton {...common} endpoint={contract.rejectPurchaseOrder} verb="rejectPurchaseOrder" tone="danger" />
      )}
      {can('close') && (
        <CommandButton
          {...common}
          endpoint={contract.closePurchaseOrder}
          verb="closePurchaseOrder"
          needed={isShort ? ['reason'] : []}
        />
      )}
      {can('cancel') && (
        <CommandButton
          {...common}
          endpoint={contract.cancelPurchaseOrder}
          verb="cancelPurchaseOrder"
          tone="danger"
          isEnabled={!isClaimed}
        />
      )}
    </>
  )
}

function EditOrder({ order }: { order: OrderDetail }) {
  const t = useText('purchase')
  const { id, version, no, supplierId, warehouseId, warehouseName, dueOn, note, lines } = order
  return (
    <CommandButton
      t={t}
      endpoint={contract.editPurchaseOrder}
      verb="editPurchaseOrder"
      target={{ id, version }}
      vars={{ no }}
      inputs={inputs}
      names={['warehouseId', 'lines', 'dueOn', 'note']}
      initial={{
        supplierId,
        warehouseId,
        warehouseName,
        dueOn,
        note,
        lines: lines.map(({ supplierProductId, packs, priceFen }) => ({ supplierProductId, packs, priceFen })),
        written: lines,
      }}
      changes={shownOrders}
    />
  )
}
