import * as contract from '@aisle/contract/purchase/supplierReturn'
import { CommandButton } from '../../admin/commandButton'
import { listPage } from '../../admin/listPage'
import { useText } from '../../ui/text'
import { SupplierInput, WarehouseInput } from './inputs'
import { ReturnDrawer, shownReturns } from './returnDrawer'
import { ReturnLines } from './returnLines'

export const ReturnList = listPage({
  screen: 'jxcgl/bs',
  part: 'returns',
  list: contract.listSupplierReturns,
  fields: contract.supplierReturnFields,
  words: 'purchase',
  columns: [
    'no',
    'supplierName',
    'state',
    'why',
    'pieces',
    'totalFen',
    'creditedFen',
    'fromName',
    'maker',
    'madeAt',
    'sentAt',
    'creditNote',
    'note',
    'approver',
    'approvedAt',
    'sender',
    'endedAt',
    'endReason',
    'merchantName',
  ],
  hidden: ['creditNote', 'note', 'approver', 'approvedAt', 'sender', 'endedAt', 'endReason', 'merchantName'],
  filters: ['q', 'state', 'why'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'toDecide', query: () => ({ state: 'draft' }) },
    { name: 'toSendBack', query: () => ({ state: 'approved' }) },
    { name: 'toCredit', query: () => ({ state: 'sent' }) },
  ],
  sums: ({ totalFen }) => ({ totalFen }),
  actions: AddReturn,
  drawer: ReturnDrawer,
  live: { kinds: ['supplierReturn'], also: [contract.getSupplierReturn] },
})

function AddReturn() {
  const t = useText('purchase')
  return (
    <CommandButton
      t={t}
      endpoint={contract.addSupplierReturn}
      verb="addSupplierReturn"
      tone="main"
      names={['supplierId', 'fromId', 'lines', 'why', 'note']}
      fields={{ why: contract.supplierReturnFields.why }}
      inputs={{ supplierId: SupplierInput, fromId: WarehouseInput, lines: ReturnLines }}
      changes={shownReturns}
    />
  )
}
