import { getMember, listMembers, summariseMembers } from '@aisle/contract/member/member'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { memberList } from './memberList'
import { MemberSummary } from './memberSummary'
import { UnitsPage } from './units'

/** For who answers for the members, weekly: how many there are and what is missing. */
const list = listPage({
  ...memberList,
  screen: 'hygl/chygl',
  part: 'members',
  summary: MemberSummary,
  live: { ...memberList.live, also: [getMember, summariseMembers] },
})

export default partsPage({
  screen: 'hygl/chygl',
  words: 'member',
  parts: [
    { key: 'members', access: listMembers.access, page: list },
    { key: 'units', access: listMembers.access, page: UnitsPage },
  ],
})
