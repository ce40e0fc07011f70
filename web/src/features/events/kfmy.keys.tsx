import { apiKeyFields, getApiKey, listApiKeys } from '@aisle/contract/events/apiKey'
import { listPage } from '../../admin/listPage'
import { ApiKeyDrawer } from './apiKeyDrawer'
import { AddApiKey } from './apiKeyVerbs'

/** For whoever lets another system in: which keys there are, whether they are used, and which wait for a person. */
export default listPage({
  screen: 'xtgl/kfmy',
  list: listApiKeys,
  fields: apiKeyFields,
  words: 'events',
  columns: [
    'name',
    'state',
    'merchantName',
    'begins',
    'scopeCount',
    'callsAMinute',
    'lastUsedAt',
    'expiresOn',
    'answersBy',
    'createdAt',
    'createdBy',
  ],
  hidden: ['createdAt', 'createdBy'],
  filters: ['key', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'unanswered', query: () => ({ state: 'unanswered' }) }],
  actions: AddApiKey,
  drawer: ApiKeyDrawer,
  live: { kinds: ['apiKey'], also: [getApiKey] },
})
