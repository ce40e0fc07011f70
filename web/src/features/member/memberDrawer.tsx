import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  getMember,
  linkMembers,
  listMembers,
  memberFields,
  memberState,
  moveMembers,
  unlinkMembers,
} from '@aisle/contract/member/member'
import { listCards } from '@aisle/contract/member/memberCard'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { MerchantInput } from '../../admin/form/refInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { type Text, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { MemberCards } from './memberCards'

type MemberDetail = OutputOf<typeof getMember>

/** Who the member is, and whose it was and is. */
export function MemberDrawer({ id }: DrawerRow) {
  const t = useText('member')
  const result = useEndpoint(getMember, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ number, name }) => `${name} ${number}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={memberFields.state} t={t} />
        </div>
      )}
      actions={(member) => <MemberVerbs member={member} />}
    >
      {(member) => (
        <>
          <MemberFacts member={member} />
          {can(listCards.access) && <MemberCards memberId={id} />}
          <Section title={t('section.ties')}>
            {member.ties.length === 0 ? (
              <p className="quiet">{t('ties.none')}</p>
            ) : (
              <Timeline moments={member.ties.flatMap((tie) => momentsOf(tie, t))} />
            )}
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function MemberFacts({ member }: { member: MemberDetail }) {
  const t = useText('member')
  const { phone } = member
  const isMasked = phone !== '' && !can('member.write')
  return (
    <Facts
      facts={[
        { label: t('field.merchants'), value: member.merchants || '–' },
        { label: t('field.phone'), value: isMasked ? <span data-hint={t('phone.masked')}>{phone}</span> : phone },
        { label: t('field.parentName'), value: member.parentName },
        { label: t('field.region'), value: member.region },
        { label: t('field.address'), value: member.address },
        { label: t('field.registeredWith'), value: member.registeredWith },
        { label: t('field.registeredAt'), value: <When at={member.registeredAt} /> },
      ]}
    />
  )
}

type Tie = MemberDetail['ties'][number]

/** The end of a tie stands above its beginning, as the newest stands first. */
function momentsOf(tie: Tie, t: Text<'member'>): Moment[] {
  const { id, merchantName: merchant, movedTo, unlinkedAt, unlinkedBy, linkedAt, linkedBy, reason } = tie
  const begun: Moment = {
    key: `${id} linked`,
    tone: 'good',
    title: t('ties.linked', { merchant }),
    detail: [linkedBy, unlinkedAt === null && reason].filter(Boolean).join(' · '),
    when: <Ago at={linkedAt} />,
  }
  if (unlinkedAt === null) return [begun]
  const ended: Moment = {
    key: `${id} unlinked`,
    tone: 'idle',
    title: movedTo === null ? t('ties.unlinked', { merchant }) : t('ties.moved', { merchant, to: movedTo }),
    detail: [unlinkedBy, reason].filter(Boolean).join(' · '),
    when: <Ago at={unlinkedAt} />,
  }
  return [ended, begun]
}

const inputs = { merchantId: MerchantInput, fromMerchantId: MerchantInput }

function MemberVerbs({ member: { id, name, state, ties } }: { member: MemberDetail }) {
  const t = useText('member')
  const open = ties.filter(({ unlinkedAt }) => unlinkedAt === null)
  const [only] = open.length === 1 ? open : []
  const common = { t, inputs, target: { ids: [id] }, vars: { name }, changes: [listMembers, getMember] as const }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={linkMembers}
        verb="linkMembers"
        isEnabled={memberState.is(state, 'active')}
      />
      <CommandButton
        {...common}
        endpoint={moveMembers}
        verb="moveMembers"
        isEnabled={open.length > 0}
        initial={only ? { fromMerchantId: only.merchantId } : {}}
      />
      <CommandButton
        {...common}
        endpoint={unlinkMembers}
        verb="unlinkMembers"
        tone="danger"
        isEnabled={open.length > 0}
        initial={only ? { merchantId: only.merchantId } : {}}
      />
    </>
  )
}
