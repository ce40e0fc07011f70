import { getPurchaseOrder, listPurchaseOrders, summarisePurchaseOrders } from '@aisle/contract/purchase/order'
import * as contract from '@aisle/contract/purchase/receipt'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import type { Values } from '../../admin/form/schema'
import { useText } from '../../ui/text'
import { OrderInput, SupplierInput, WarehouseInput } from './inputs'
import { lineFrom, ReceiptLines } from './receiptLines'

export type ReceiptDetail = OutputOf<typeof contract.getGoodsReceipt>
const shown = [
  contract.listGoodsReceipts,
  contract.getGoodsReceipt,
  listPurchaseOrders,
  getPurchaseOrder,
  summarisePurchaseOrders,
] as const
const inputs = { orderId: OrderInput, supplierId: SupplierInput, warehouseId: WarehouseInput, lines: ReceiptLines }

/** What an order says already is not asked for. */
const without = ({ orderId }: Values) => (orderId ? ['supplierId'] : [])

export function AddReceipt() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addGoodsReceipt}
      verb="addGoodsReceipt"
      tone="main"
      names={['orderId', 'supplierId', 'warehouseId', 'deliveryNote', 'lines', 'note']}
      inputs={inputs}
      without={without}
      changes={shown}
    />
  )
}

/** Of an order that awaits goods: all that is missing stands there already. */
export function ReceiveOrder({ order }: { order: OutputOf<typeof getPurchaseOrder> }) {
  const t = useText('purchase')
  const { id, no, warehouseId, warehouseName, lines } = order
  const open = lines.filter(({ pieces, received, waiting }) => received + waiting < pieces)
  return (
    <CommandButton
      t={t}
      endpoint={contract.addGoodsReceipt}
      verb="receiveOrder"
      tone="main"
      target={{ orderId: id }}
      vars={{ no }}
      names={['warehouseId', 'deliveryNote', 'lines', 'note']}
      inputs={inputs}
      initial={{ orderId: id, warehouseId, warehouseName, lines: open.map(lineFrom) }}
      changes={shown}
    />
  )
}

export function ReceiptVerbs({ receipt }: { receipt: ReceiptDetail }) {
  const t = useText('purchase')
  const { id, no, state, mayAccept, mayReverse } = receipt
  const can = (verb: keyof typeof contract.goodsReceiptState.moves) => contract.goodsReceiptState.can(state, verb)
  const common = { t, target: { id }, vars: { no }, changes: shown }
  return (
    <>
      {can('accept') && (
        <>
          <CommandButton
            {...common}
            endpoint={contract.acceptGoodsReceipt}
            verb="acceptGoodsReceipt"
            tone="main"
            isEnabled={mayAccept}
          />
          <CommandButton
            {...common}
            endpoint={contract.turnDownGoodsReceipt}
            verb="turnDownGoodsReceipt"
            tone="danger"
          />
        </>
      )}
      {can('reverse') && (
        <CommandButton
          {...common}
          endpoint={contract.reverseGoodsReceipt}
          verb="reverseGoodsReceipt"
          tone="danger"
          isEnabled={mayReverse}
        />
      )}
    </>
  )
}
