import * as contract from '@aisle/contract/stock/transfer'
import { listWarehouses, listWarehouseStock, summariseWarehouses } from '@aisle/contract/stock/warehouse'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { refInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { ArrivedInput, TransferLines } from './transferInputs'

const shown = [contract.listTransfers, contract.getTransfer, listWarehouses, listWarehouseStock, summariseWarehouses]

const WarehouseInput = refInput({
  list: listWarehouses,
  query: { state: 'active' },
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})

export const TransferList = listPage({
  screen: 'jxcgl/ccgl',
  part: 'transfers',
  list: contract.listTransfers,
  fields: contract.transferFields,
  words: 'stock',
  columns: [
    'no',
    'state',
    'fromName',
    'toName',
    'pieces',
    'lost',
    'sentAt',
    'sender',
    'endedAt',
    'ender',
    'note',
    'merchantName',
  ],
  hidden: ['ender', 'note', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'onWay', query: () => ({ state: 'onWay' }) }],
  actions: Send,
  drawer: TransferDrawer,
  live: { kinds: ['transfer'], also: [contract.getTransfer] },
})

function Send() {
  const t = useText('stock')
  return (
    <CommandButton
      t={t}
      endpoint={contract.sendTransfer}
      verb="sendTransfer"
      tone="main"
      inputs={{ fromId: WarehouseInput, toId: WarehouseInput, lines: TransferLines }}
      changes={shown}
    />
  )
}

function TransferDrawer({ id }: DrawerRow) {
  const t = useText('stock')
  const result = useEndpoint(contract.getTransfer, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, fromName, toName }) => `${no} ${fromName} → ${toName}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={contract.transferFields.state} t={t} />
        </div>
      )}
      actions={({ no, state, lines: sent }) => {
        if (!contract.transferState.can(state, 'arrive')) return null
        const common = { t, target: { id }, vars: { no }, changes: shown }
        return (
          <>
            <CommandButton
              {...common}
              endpoint={contract.receiveTransfer}
              verb="receiveTransfer"
              tone="main"
              initial={{ sent, lines: sent.map(({ line, quantity }) => ({ line, arrived: quantity })) }}
              inputs={{ lines: ArrivedInput }}
            />
            <CommandButton {...common} endpoint={contract.callBackTransfer} verb="callBackTransfer" tone="danger" />
          </>
        )
      }}
    >
      {(transfer) => (
        <>
          <ul className={lined.lines}>
            {transfer.lines.map(({ line, productName, specification, productCode, batch, quantity, arrived }) => (
              <li key={line}>
                <span className={lined.what}>
                  {productName} {specification}
                  <small className="quiet">{[productCode, batch].filter(Boolean).join(' · ')}</small>
                </span>
                <span className={lined.count}>{countText(quantity)}</span>
                {arrived !== null && arrived < quantity && (
                  <Tag tone="bad" word={t('transfer.missing', { count: quantity - arrived })} />
                )}
              </li>
            ))}
          </ul>
          <Section title={t('transfer.facts')}>
            <Facts
              facts={[
                { label: t('field.valueFen'), value: <Money fen={transfer.valueFen} /> },
                { label: t('field.sender'), value: transfer.sender },
                { label: t('field.sentAt'), value: <When at={transfer.sentAt} /> },
                { label: t('field.ender'), value: transfer.ender },
                { label: t('field.endedAt'), value: transfer.endedAt && <When at={transfer.endedAt} /> },
                { label: t('field.note'), value: transfer.note },
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}
