import { campaignFields, getCampaign } from '@aisle/contract/promotion/campaign'
import { StateCell } from '../../admin/fields/state'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { CampaignBody } from './campaignBody'
import { CampaignVerbs } from './campaignVerbs'

export function CampaignDrawer({ id }: DrawerRow) {
  const t = useText('promotion')
  const result = useEndpoint(getCampaign, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ name }) => name}
      head={({ state, verdict }) => (
        <div className="tags">
          <StateCell value={state} field={campaignFields.state} t={t} />
          {verdict && <StateCell value={verdict} field={campaignFields.verdict} t={t} />}
        </div>
      )}
      actions={(campaign) => <CampaignVerbs campaign={campaign} />}
    >
      {(campaign) => <CampaignBody campaign={campaign} />}
    </RowDrawer>
  )
}
