import { campaignFields, getCampaign, listCampaigns } from '@aisle/contract/promotion/campaign'
import { listPage } from '../../admin/listPage'
import { CampaignDrawer } from './campaignDrawer'
import { AddCampaign } from './campaignVerbs'

/** For merchandisers: which plans run together and when, and what that brought beside machines without them. */
export default listPage({
  screen: 'yxch/yxjhgl',
  list: listCampaigns,
  fields: campaignFields,
  words: 'promotion',
  columns: [
    'name',
    'state',
    'startsOn',
    'endsOn',
    'verdict',
    'liftPercent',
    'measure',
    'goalPercent',
    'planCount',
    'withCount',
    'controlCount',
    'merchantName',
    'createdBy',
    'createdAt',
  ],
  hidden: ['planCount', 'merchantName', 'createdBy'],
  sortable: { createdAt: 'newest', startsOn: 'starts' },
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'running', query: () => ({ state: 'running' }) }],
  actions: AddCampaign,
  drawer: CampaignDrawer,
  live: { kinds: ['campaign', 'promotionPlan'], also: [getCampaign] as const },
})
