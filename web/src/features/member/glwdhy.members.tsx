import {
  getMember,
  linkMembers,
  listMembers,
  type Member,
  memberFields,
  memberState,
  moveMembers,
  unlinkMembers,
} from '@aisle/contract/member/member'
import type { BatchVerb } from '../../admin/batch'
import { MerchantInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { MemberDrawer } from './memberDrawer'

const inputs = { merchantId: MerchantInput, fromMerchantId: MerchantInput }

const isTied = ({ merchantCount }: Member) => merchantCount > 0
// Each with its type said: comparing endpoints with each other takes the checker long.
const link: BatchVerb<Member> = {
  endpoint: linkMembers,
  verb: 'linkMembers',
  inputs,
  can: ({ state }) => memberState.is(state, 'active'),
}
const move: BatchVerb<Member> = { endpoint: moveMembers, verb: 'moveMembers', inputs, can: isTied }
const unlink: BatchVerb<Member> = {
  endpoint: unlinkMembers,
  verb: 'unlinkMembers',
  tone: 'danger',
  inputs,
  can: isTied,
}

/**
 * For whoever runs a site that opens, closes or changes hands: choose the merchant,
 * then tie, untie or move its members.
 */
export default listPage({
  screen: 'shgl/glwdhy',
  list: listMembers,
  fields: memberFields,
  words: 'member',
  columns: [
    'number',
    'name',
    'phone',
    'merchants',
    'state',
    'region',
    'registeredAt',
    'parentName',
    'address',
    'merchantCount',
  ],
  hidden: ['address', 'merchantCount'],
  sortable: { number: 'number', name: 'name', registeredAt: 'newest' },
  filters: ['q', 'merchantId', 'tie'],
  moreFilters: ['state', 'region'],
  presets: [
    { name: 'tied', query: () => ({ tie: 'tied' }) },
    { name: 'untied', query: () => ({ tie: 'untied' }) },
  ],
  batch: [link, move, unlink],
  drawer: MemberDrawer,
  live: { kinds: ['member'], also: [getMember] },
})
