import { getIntegration, integrationFields, listIntegrations } from '@aisle/contract/merchant/integration'
import { listPage } from '../../admin/listPage'
import { IntegrationDrawer } from './integrationDrawer'
import { AddIntegration } from './integrationVerbs'

/** For the platform's technician when another system is joined or falls silent: what cannot be called stands first. */
export default listPage({
  screen: 'xtgl/dsfdjpz',
  list: listIntegrations,
  fields: integrationFields,
  words: 'merchant',
  columns: [
    'merchantName',
    'childClass',
    'interfaceType',
    'state',
    'hindrance',
    'useCount',
    'maxCount',
    'expiresOn',
    'machineCode',
    'path',
    'contractNumber',
    'parentClass',
    'merchantCode',
  ],
  hidden: ['path', 'contractNumber', 'merchantCode'],
  sortable: { merchantName: 'merchant', useCount: 'uses', hindrance: 'worst' },
  filters: ['integration', 'childClass', 'hindrance'],
  moreFilters: ['parentClass', 'state', 'merchantId'],
  actions: AddIntegration,
  drawer: IntegrationDrawer,
  live: { kinds: ['integrationConfig'], also: [getIntegration] },
})
