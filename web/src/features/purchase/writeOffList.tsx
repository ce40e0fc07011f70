import * as contract from '@aisle/contract/stock/writeOff'
import { CommandButton } from '../../admin/commandButton'
import { ScansInput } from '../../shelf/scansInput'
import { listPage } from '../../admin/listPage'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { ProductInput } from './inputs'
import { shownWriteOffs, WriteOffDrawer } from './writeOffDrawer'
import { WriteOffLines } from './writeOffLines'

/** For who keeps goods, when some are lost: what was written off, and what waits for a second person. */
export const WriteOffList = listPage({
  screen: 'jxcgl/bs',
  part: 'writeOffs',
  list: contract.listWriteOffs,
  fields: contract.writeOffFields,
  words: 'stock',
  columns: [
    'productName',
    'batch',
    'state',
    'quantity',
    'costFen',
    'why',
    'placeName',
    'slotCode',
    'note',
    'askedBy',
    'askedAt',
    'decidedBy',
    'decidedAt',
    'placeKind',
    'endReason',
    'expiresOn',
    'machineCode',
    'productCode',
    'merchantName',
  ],
  hidden: [
    'decidedBy',
    'decidedAt',
    'placeKind',
    'endReason',
    'expiresOn',
    'machineCode',
    'productCode',
    'merchantName',
  ],
  filters: ['q', 'state', 'why'],
  moreFilters: ['placeKind', 'merchantId'],
  presets: [{ name: 'waiting', query: () => ({ state: 'waiting' }) }],
  sums: ({ costFen }) => ({ costFen }),
  actions: Actions,
  drawer: WriteOffDrawer,
  batch: [
    {
      endpoint: contract.approveWriteOff,
      verb: 'approveWriteOff',
      can: ({ state }) => contract.writeOffState.can(state, 'approve'),
    },
    {
      endpoint: contract.refuseWriteOff,
      verb: 'refuseWriteOff',
      tone: 'danger',
      can: ({ state }) => contract.writeOffState.can(state, 'refuse'),
    },
  ],
  live: { kinds: ['writeOff'], also: [contract.getWriteOff] },
})

const fields = { why: contract.writeOffFields.why } as const

function Actions() {
  const t = useText('stock')
  const told = (came: { done: number; waiting: number }) => toast('good', t('writeOff.told', came))
  const common = { t, fields, changes: shownWriteOffs, onDone: told }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.writeOffWholeBatch}
        verb="writeOffWholeBatch"
        tone="danger"
        inputs={{ productId: ProductInput, pictures: ScansInput }}
      />
      <CommandButton
        {...common}
        endpoint={contract.writeOffGoods}
        verb="writeOffGoods"
        tone="main"
        inputs={{ lines: WriteOffLines, pictures: ScansInput }}
      />
    </>
  )
}
