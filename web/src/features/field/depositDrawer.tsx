import { getCashCollection, listCashCollections, summariseCash } from '@aisle/contract/field/cashCollection'
import {
  cashDepositFields,
  depositCash,
  getCashDeposit,
  listCashDeposits,
  previewCashDeposit,
  reverseCashDeposit,
} from '@aisle/contract/field/cashDeposit'
import { CommandButton } from '../../admin/commandButton'
import { businessDay } from '../../ui/days'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { MerchantInput } from '../../admin/form/refInput'
import type { Values } from '../../admin/form/schema'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

const changes = [listCashDeposits, getCashDeposit, listCashCollections, getCashCollection, summariseCash] as const
const inputs = { merchantId: MerchantInput }
const MINUTE_MS = 60_000

export function DepositActions() {
  const t = useText('field')
  const today = businessDay(useNow(MINUTE_MS))
  const own = useSession()?.info?.merchant
  return (
    <CommandButton
      endpoint={depositCash}
      verb="depositCash"
      t={t}
      tone="main"
      fields={cashDepositFields}
      inputs={inputs}
      names={['merchantId', 'through', 'slipNo', 'depositedOn', 'amountFen', 'note']}
      initial={{ merchantId: own?.id, through: today, depositedOn: today }}
      preview={Counted}
      changes={changes}
    />
  )
}

/** What is there to be taken to the bank, beside what is typed. */
function Counted({ values: { merchantId, through } }: { values: Values }) {
  const t = useText('field')
  const isAsked = typeof merchantId === 'number' && typeof through === 'string' && through !== ''
  const asked = { merchantId: Number(merchantId), through: String(through) }
  const { data } = useEndpoint(previewCashDeposit, asked, { errors: 'silent', enabled: isAsked })
  if (!isAsked || !data) return null
  return (
    <p role="status">
      {t('deposit.counted', { boxes: countText(data.boxes) })} <Money fen={data.countedFen} />
    </p>
  )
}

export function DepositDrawer({ id }: DrawerRow) {
  const t = useText('field')
  const result = useEndpoint(getCashDeposit, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ slipNo }) => slipNo}
      head={({ state, amountFen }) => (
        <div className="tags">
          <strong>
            <Money fen={amountFen} />
          </strong>
          <StateCell value={state} field={cashDepositFields.state} t={t} />
        </div>
      )}
      actions={({ mayReverse }) => (
        <CommandButton
          endpoint={reverseCashDeposit}
          verb="reverseCashDeposit"
          t={t}
          target={{ id }}
          tone="danger"
          isEnabled={mayReverse}
          changes={changes}
        />
      )}
    >
      {(deposit) => (
        <Facts
          facts={[
            { label: t('field.depositedOn'), value: <Day on={deposit.depositedOn} /> },
            { label: t('field.countedFen'), value: <Money fen={deposit.countedFen} /> },
            {
              label: t('field.differenceFen'),
              value: deposit.differenceFen !== 0 && <Money fen={deposit.differenceFen} />,
            },
            {
              label: t('field.boxes'),
              value: (
                <ScreenLink screen="cfgl/xjqd" search={{ depositId: String(id) }}>
                  {countText(deposit.boxes)}
                </ScreenLink>
              ),
            },
            { label: t('field.merchantName'), value: deposit.merchantName },
            { label: t('field.depositor'), value: deposit.depositor },
            { label: t('field.enteredAt'), value: <When at={deposit.enteredAt} /> },
            { label: t('field.note'), value: deposit.note },
            { label: t('field.reverser'), value: deposit.reverser },
            { label: t('field.reversedAt'), value: deposit.reversedAt && <When at={deposit.reversedAt} /> },
            { label: t('field.reason'), value: deposit.reason },
          ]}
        />
      )}
    </RowDrawer>
  )
}
