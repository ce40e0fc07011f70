import { addBankReceipt, listPayouts, payoutFields, previewReceipt } from '@aisle/contract/settlement/bank'
import { CommandButton } from '../../admin/commandButton'
import { Day, When } from '../../admin/fields/time'
import { StateCell } from '../../admin/fields/state'
import type { Values } from '../../admin/form/schema'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

const receiptFields = {
  amountFen: { kind: 'money' },
  bankFeeFen: { kind: 'money' },
  receivedOn: { kind: 'day' },
} as const

/** What channels paid out, until the bank has it. */
export const payoutList = {
  list: listPayouts,
  fields: payoutFields,
  words: 'settlement' as const,
  columns: [
    'reference',
    'day',
    'provider',
    'payoutFen',
    'owedFen',
    'bankState',
    'bankNo',
    'receivedFen',
    'bankFeeFen',
    'receivedOn',
    'merchantName',
    'channelNo',
    'paidOutAt',
  ] as const,
  hidden: ['owedFen', 'bankFeeFen', 'channelNo', 'paidOutAt'] as const,
  filters: ['bankState', 'provider'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'underWay', query: () => ({ bankState: 'under_way' }) }],
  sums: (sums: { payoutFen: number; receivedFen: number }) => sums,
  drawer: PayoutDrawer,
  live: { kinds: ['settlementRun', 'bankReceipt'], also: [] },
}

function PayoutDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(listPayouts, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ items }) => items[0]?.reference}
      head={({ items }) =>
        items[0] && (
          <div className="tags">
            <StateCell value={items[0].bankState} field={payoutFields.bankState} t={t} />
          </div>
        )
      }
      actions={({ items: [payout] }) =>
        payout && (
          <CommandButton
            endpoint={addBankReceipt}
            verb="addBankReceipt"
            t={t}
            tone="main"
            target={{ id }}
            fields={receiptFields}
            initial={{ amountFen: payout.payoutFen }}
            preview={ReceiptMoves}
            isEnabled={payout.bankState === 'under_way'}
            changes={[listPayouts]}
          />
        )
      }
    >
      {({ items: [payout] }) =>
        payout && (
          <Facts
            facts={[
              { label: t('field.day'), value: <Day on={payout.day} /> },
              { label: t('field.provider'), value: t(`provider.${payout.provider}`) },
              { label: t('field.channelNo'), value: payout.channelNo },
              { label: t('field.merchantName'), value: payout.merchantName },
              { label: t('field.payoutFen'), value: <Money fen={payout.payoutFen} /> },
              { label: t('field.owedFen'), value: payout.owedFen > 0 && <Money fen={payout.owedFen} /> },
              { label: t('field.paidOutAt'), value: <When at={payout.paidOutAt} /> },
              { label: t('field.bankNo'), value: payout.bankNo },
              {
                label: t('field.receivedFen'),
                value: payout.receivedFen === null ? null : <Money fen={payout.receivedFen} />,
              },
              {
                label: t('field.bankFeeFen'),
                value: payout.bankFeeFen ? <Money fen={payout.bankFeeFen} /> : null,
              },
              { label: t('field.receivedOn'), value: payout.receivedOn && <Day on={payout.receivedOn} /> },
            ]}
          />
        )
      }
    </RowDrawer>
  )
}

function ReceiptMoves({ values: { id, amountFen, bankFeeFen } }: { values: Values }) {
  const isTyped = isAmount(amountFen) && (bankFeeFen === undefined || isAmount(bankFeeFen))
  const asked = { id: Number(id), amountFen: Number(amountFen), ...(isAmount(bankFeeFen) && { bankFeeFen }) }
  const { data } = useEndpoint(previewReceipt, asked, { errors: 'silent', enabled: isTyped })
  return isTyped && data ? <Moves moves={data.movements} /> : null
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
