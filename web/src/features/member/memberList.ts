import { getMember, listMembers, memberFields, memberState } from '@aisle/contract/member/member'
import { resumeMember, stopMember } from '@aisle/contract/member/memberRecord'
import type { ListPage } from '../../admin/declaration'
import { MemberActions } from './memberActions'
import { MemberDrawer } from './memberDrawer'

/** What both screens of members list; each adds what it is for. */
export const memberList = {
  list: listMembers,
  fields: memberFields,
  words: 'member',
  columns: [
    'number',
    'name',
    'phone',
    'level',
    'unitName',
    'cardCount',
    'state',
    'registeredAt',
    'merchants',
    'birthday',
    'tags',
    'parentName',
    'region',
    'address',
    'merchantCount',
  ],
  hidden: ['merchants', 'birthday', 'tags', 'parentName', 'region', 'address', 'merchantCount'],
  sortable: { number: 'number', name: 'name', registeredAt: 'newest', level: 'level' },
  filters: ['q', 'unit', 'state'],
  moreFilters: ['level', 'tag', 'card', 'consent', 'merchantId', 'region'],
  actions: MemberActions,
  drawer: MemberDrawer,
  batch: [
    {
      endpoint: stopMember,
      verb: 'stopMember',
      tone: 'danger',
      can: ({ state }) => memberState.can(state, 'stop'),
    },
    { endpoint: resumeMember, verb: 'resumeMember', can: ({ state }) => memberState.can(state, 'resume') },
  ],
  live: { kinds: ['member', 'memberCard'], also: [getMember] },
} satisfies Omit<ListPage<typeof listMembers>, 'screen'>
