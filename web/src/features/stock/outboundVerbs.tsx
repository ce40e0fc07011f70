import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/stock/outbound'
import { listWarehouses, listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { useText } from '../../ui/text'
import { LotsInput, WantedLines } from './outboundInputs'

export type OutboundDetail = OutputOf<typeof contract.getOutboundOrder>
const shown = [
  contract.listOutboundOrders,
  contract.getOutboundOrder,
  contract.summariseOutboundOrders,
  contract.listCarriedGoods,
  listWarehouses,
  listWarehouseStock,
]

const WarehouseInput = refInput({
  list: listWarehouses,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
const ReplenisherInput = refInput({
  list: contract.listReplenishers,
  optionOf: ({ id, name, account }) => ({ value: id, word: name, note: account }),
})

export function AddOutbound() {
  const t = useText('stock')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addOutboundOrder}
      verb="addOutboundOrder"
      tone="main"
      names={['warehouseId', 'replenisherId', 'lines', 'note']}
      inputs={{ warehouseId: WarehouseInput, replenisherId: ReplenisherInput, lines: WantedLines }}
      changes={shown}
    />
  )
}

/** First expiry first; what else may be taken stands beside it with none. */
const proposedOf = ({ lots, picks }: OutboundDetail) =>
  lots.map((lot) => {
    const pick = picks.find(({ productId, batch }) => productId === lot.productId && batch === lot.batch)
    return { ...lot, quantity: pick?.quantity ?? 0 }
  })

/** The next step stands first. */
export function OutboundVerbs({ order }: { order: OutboundDetail }) {
  const t = useText('stock')
  const { id, version, no, state, warehouseId, replenisherName, lines, lots: lying, inBag, note } = order
  const common = { t, target: { id }, vars: { no, name: replenisherName }, changes: shown }
  const can = (verb: keyof typeof contract.outboundState.moves) => contract.outboundState.can(state, verb)
  const lots = (all: readonly { productId: number; batch: string; quantity: number }[]) =>
    all.map(({ productId, batch, quantity }) => ({ productId, batch, quantity }))
  return (
    <>
      {can('pick') && (
        <CommandButton
          {...common}
          endpoint={contract.pickOutboundOrder}
          verb="pickOutboundOrder"
          tone="main"
          initial={{ known: lying, picks: lots(proposedOf(order)) }}
          inputs={{ picks: LotsInput }}
          isEnabled={lying.length > 0}
        />
      )}
      {can('load') && (
        <CommandButton {...common} endpoint={contract.loadOutboundOrder} verb="loadOutboundOrder" tone="main" />
      )}
      {can('close') && (
        <CommandButton
          {...common}
          endpoint={contract.closeOutboundOrder}
          verb="closeOutboundOrder"
          tone="main"
          initial={{ known: inBag, returns: lots(inBag) }}
          inputs={{ returns: LotsInput }}
        />
      )}
      {can('pick') && (
        <CommandButton
          {...common}
          endpoint={contract.editOutboundOrder}
          verb="editOutboundOrder"
          target={{ id, version }}
          initial={{
            warehouseId,
            note,
            known: lines,
            lines: lines.map(({ productId, wanted: quantity }) => ({ productId, quantity })),
          }}
          names={['lines', 'note']}
          inputs={{ lines: WantedLines }}
        />
      )}
      {can('putBack') && (
        <CommandButton {...common} endpoint={contract.putBackOutboundOrder} verb="putBackOutboundOrder" />
      )}
      {can('cancel') && (
        <CommandButton {...common} endpoint={contract.cancelOutboundOrder} verb="cancelOutboundOrder" tone="danger" />
      )}
    </>
  )
}
