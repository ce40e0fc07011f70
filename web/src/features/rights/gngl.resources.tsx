import { getResource, listResources, resourceFields } from '@aisle/contract/rights/resource'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { ResourceDrawer } from './resourceDrawer'

/**
 * For the platform's administrators, rarely: what the product can do and who may;
 * a function is stopped here in need.
 */
export default listPage({
  screen: 'xtgl/gngl',
  list: listResources,
  fields: resourceFields,
  words: 'rights',
  columns: ['name', 'code', 'kind', 'state', 'group', 'pageCount', 'callCount', 'roleCount', 'userCount', 'url'],
  hidden: ['url'],
  sortable: { name: 'name', userCount: 'users', group: 'menu' },
  filters: ['q', 'kind', 'state'],
  presets: [
    { name: 'switchedOff', query: () => ({ state: 'off' }) },
    { name: 'external', query: () => ({ kind: 'external' }) },
  ],
  actions: AddExternal,
  drawer: ResourceDrawer,
  live: { kinds: ['resource', 'role'], also: [getResource] },
})

function AddExternal() {
  const t = useText('rights')
  const { path, access } = screenOf('xtgl/xzptzy')
  if (!can(access)) return null
  return (
    <Link className="btn btn-main" to={path}>
      {t('resource.add')}
    </Link>
  )
}
