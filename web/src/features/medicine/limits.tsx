import * as contract from '@aisle/contract/medicine/limit'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'

const shown = [contract.listLimits]

function SetLimit() {
  const t = useText('medicine')
  return (
    <CommandButton
      t={t}
      endpoint={contract.putLimit}
      verb="putLimit"
      tone="main"
      fields={contract.limitFields}
      inputs={{ merchantId: MerchantInput }}
      changes={shown}
    />
  )
}

/** For pharmacists and the platform, when the law changes: how much of a group one person may have. */
export const LimitList = listPage({
  screen: 'ypgl/yplb',
  part: 'limits',
  list: contract.listLimits,
  fields: contract.limitFields,
  words: 'medicine',
  columns: ['limitGroup', 'packs', 'days', 'merchantName'],
  filters: ['limitGroup', 'merchantId'],
  actions: SetLimit,
  drawer: LimitDrawer,
  live: { kinds: ['realNameLimit'], also: [] },
})

function LimitDrawer({ id }: DrawerRow) {
  const t = useText('medicine')
  const result = useEndpoint(contract.getLimit, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ limitGroup }) => t(`limitGroup.${limitGroup}`)}
      actions={(row) => (
        <>
          <CommandButton
            t={t}
            endpoint={contract.putLimit}
            verb="putLimit"
            target={{ merchantId: row.merchantId, limitGroup: row.limitGroup }}
            initial={row}
            changes={[...shown, contract.getLimit]}
          />
          <CommandButton
            t={t}
            endpoint={contract.removeLimit}
            verb="removeLimit"
            target={{ id }}
            tone="danger"
            isEnabled={row.merchantId !== null}
            changes={shown}
          />
        </>
      )}
    >
      {(row) => (
        <Facts
          facts={[
            { label: t('field.merchantName'), value: row.merchantName ?? t('limit.platform') },
            { label: t('field.packs'), value: row.packs },
            { label: t('field.days'), value: row.days },
          ]}
        />
      )}
    </RowDrawer>
  )
}
