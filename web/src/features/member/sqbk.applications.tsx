import * as contract from '@aisle/contract/member/cardApplication'
import { cardTypes } from '@aisle/contract/member/card'
import { listCards } from '@aisle/contract/member/memberCard'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { useText } from '../../ui/text'
import { ApplicationDrawer } from './applicationDrawer'
import { MemberInput } from './cardVerbs'

const CardInput = refInput({
  list: listCards,
  query: { holder: 'named' },
  optionOf: ({ id, logicalNo, holderName, merchantName }) => ({
    value: id,
    word: `${logicalNo} ${holderName}`,
    note: merchantName,
  }),
})

const common = { fields: contract.applicationFields, changes: [contract.listApplications] }

function Apply() {
  const t = useText('member')
  return (
    <>
      <CommandButton
        {...common}
        t={t}
        endpoint={contract.applyForReplacement}
        verb="applyForReplacement"
        inputs={{ cardId: CardInput }}
      />
      <CommandButton
        {...common}
        t={t}
        tone="main"
        endpoint={contract.applyForCard}
        verb="applyForCard"
        inputs={{ memberId: MemberInput }}
        initial={{ type: cardTypes[0], level: 1 }}
      />
    </>
  )
}

/** For the card office, daily: who wants a card or another in its place; a second person decides. */
export default listPage({
  screen: 'hygl/sqbk',
  list: contract.listApplications,
  fields: contract.applicationFields,
  words: 'member',
  columns: [
    'memberNumber',
    'memberName',
    'kind',
    'type',
    'state',
    'replaces',
    'createdBy',
    'createdAt',
    'decidedBy',
    'logicalNo',
    'note',
    'level',
    'decidedAt',
    'reason',
    'issuedBy',
    'issuedAt',
    'merchantName',
  ],
  hidden: ['note', 'level', 'decidedAt', 'reason', 'issuedBy', 'issuedAt', 'merchantName'],
  sortable: { createdAt: 'newest' },
  filters: ['q', 'state', 'kind'],
  moreFilters: ['type', 'merchantId'],
  presets: [
    { name: 'toReview', query: () => ({ state: 'submitted', sort: 'oldest' }) },
    { name: 'toIssue', query: () => ({ state: 'approved', sort: 'oldest' }) },
  ],
  actions: Apply,
  drawer: ApplicationDrawer,
  batch: [
    {
      endpoint: contract.approveApplication,
      verb: 'approveApplication',
      can: ({ state, isOwn }) => !isOwn && contract.applicationState.can(state, 'approve'),
    },
  ],
  live: { kinds: ['cardApplication', 'memberCard'], also: [contract.getApplication] },
})
