import {
  disableUser,
  enableUser,
  getUser,
  listUsers,
  type User,
  userFields,
  userState,
} from '@aisle/contract/people/user'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import type { BatchVerb } from '../../admin/batch'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { UserDrawer } from './userDrawer'

// Each with its type said: comparing endpoints with each other takes the checker long.
const disable: BatchVerb<User> = {
  endpoint: disableUser,
  verb: 'disableUser',
  tone: 'danger',
  can: ({ state }) => userState.can(state, 'disable'),
}
const enable: BatchVerb<User> = {
  endpoint: enableUser,
  verb: 'enableUser',
  can: ({ state }) => userState.can(state, 'enable'),
}

/**
 * For a merchant's administrator, when somebody joins, leaves or can't get in:
 * who works here, as what, and since when.
 */
export default listPage({
  screen: 'shgl/wdtd',
  list: listUsers,
  fields: userFields,
  words: 'people',
  columns: [
    'account',
    'name',
    'kind',
    'organisationName',
    'roleNames',
    'state',
    'lastSignInAt',
    'machineCount',
    'phone',
    'merchantName',
  ],
  hidden: ['merchantName'],
  sortable: { account: 'account', name: 'name' },
  filters: ['q', 'kind', 'state'],
  moreFilters: ['signedIn', 'merchantId'],
  presets: [
    { name: 'neverSignedIn', query: () => ({ signedIn: 'never', state: 'active' }) },
    { name: 'disabled', query: () => ({ state: 'disabled' }) },
  ],
  actions: AddUserLink,
  batch: [disable, enable],
  drawer: UserDrawer,
  live: { kinds: ['user', 'role'], also: [getUser] },
})

function AddUserLink() {
  const { path, access } = screenOf('shgl/xzyh')
  const t = useText('people')
  if (!can(access)) return null
  return (
    <Link to={path} className="btn btn-main">
      {t('user.add')}
    </Link>
  )
}
