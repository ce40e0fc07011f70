import { getRole, listRoles, roleFields } from '@aisle/contract/rights/role'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { RoleDrawer } from './roleDrawer'

/** For administrators, weekly: which roles there are, what each may do, and who holds it. */
export default listPage({
  screen: 'xtgl/jsgl',
  list: listRoles,
  fields: roleFields,
  words: 'rights',
  columns: ['name', 'surface', 'type', 'origin', 'userCount', 'permissionCount', 'description', 'merchantName'],
  sortable: { name: 'name', userCount: 'users' },
  filters: ['q', 'surface', 'type'],
  moreFilters: ['origin', 'merchantId'],
  presets: [
    { name: 'webRoles', query: () => ({ surface: 'web' }) },
    { name: 'appRoles', query: () => ({ surface: 'app' }) },
    { name: 'templates', query: () => ({ origin: 'template' }) },
  ],
  actions: AddRole,
  drawer: RoleDrawer,
  live: { kinds: ['role', 'user'], also: [getRole] },
})

function AddRole() {
  const t = useText('rights')
  const { path, access } = screenOf('xtgl/xzjs')
  if (!can(access)) return null
  return (
    <Link className="btn btn-main" to={path}>
      {t('role.add')}
    </Link>
  )
}
