import { moneyText } from '@aisle/contract/kernel/text'
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
import {
  editMember,
  eraseMember,
  memberEditable,
  recordConsent,
  resumeMember,
  stopMember,
} from '@aisle/contract/member/memberRecord'
import { CommandButton } from '../../admin/commandButton'
import { StateCell } from '../../admin/fields/state'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { Ago, Day, When } from '../../admin/fields/time'
import { MerchantInput } from '../../admin/form/refInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { type Text, useLanguage, useText } from '../../ui/text'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import { memberChanges, memberInputs } from './memberForm'
import { MemberCards } from './memberCards'

type MemberDetail = OutputOf<typeof getMember>

/** Who the member is, and whose it was and is. */
export function MemberDrawer({ id }: DrawerRow) {
  const t = useText('member')
  const result = useEndpoint(getMember, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ number, name }) => `${name} ${number}`.trim()}
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
  const language = useLanguage()
  const money = (fen: number) => moneyText(fen, language)
  const isMasked = phone !== '' && !can('member.write')
  return (
    <Facts
      facts={[
        { label: t('field.merchants'), value: member.merchants || '–' },
        { label: t('field.level'), value: countText(member.level) },
        { label: t('field.unitName'), value: member.unitName },
        { label: t('field.tags'), value: member.tags.join(' · ') },
        { label: t('field.birthday'), value: member.birthday && <Day on={member.birthday} /> },
        {
          label: t('field.bought'),
          value: member.spentCount > 0 && (
            <ScreenLink screen="hygl/kkmx" search={{ memberId: String(member.id) }}>
              {`${money(member.spentFen)} · ${t('card.count', { count: countText(member.spentCount) })}`}
            </ScreenLink>
          ),
        },
        {
          label: t('field.held'),
          value: member.cardCount > 0 && (
            <ScreenLink screen="hygl/wdhyk" search={{ memberId: String(member.id) }}>
              {`${money(member.balanceFen)} + ${money(member.giftFen)}`}
            </ScreenLink>
          ),
        },
        {
          label: t('field.coupons'),
          value: can('coupon.read') && (
            <ScreenLink screen="yxch/yhqmx" search={{ memberNumber: member.number }}>
              {t('coupons.show')}
            </ScreenLink>
          ),
        },
        {
          label: t('field.consentedAt'),
          value: member.consentedAt && member.consentedBy && (
            <>
              {t(`consentedBy.${member.consentedBy}`)} · <When at={member.consentedAt} />
            </>
          ),
        },
        { label: t('field.erasedAt'), value: member.erasedAt && <When at={member.erasedAt} /> },
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

function MemberVerbs({ member }: { member: MemberDetail }) {
  const t = useText('member')
  const { id, number, name, state, version, isOwn } = member
  const isKnown = isOwn && memberState.is(state, 'known')
  const common = { t, fields: memberFields, inputs: memberInputs, vars: { name, number }, changes: memberChanges }
  const typed = Object.fromEntries(Object.keys(memberEditable).map((key) => [key, member[key as keyof MemberDetail]]))
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editMember}
        verb="editMember"
        target={{ id, version }}
        initial={{ ...typed, merchantId: member.merchantId }}
        isEnabled={isKnown}
      />
      <CommandButton
        {...common}
        endpoint={recordConsent}
        verb="recordConsent"
        target={{ id }}
        initial={{ consentedBy: member.consentedBy }}
        isEnabled={isKnown}
      />
      <TieVerbs member={member} />
      {memberState.can(state, 'resume') ? (
        <CommandButton {...common} endpoint={resumeMember} verb="resumeMember" target={{ id }} isEnabled={isOwn} />
      ) : (
        <CommandButton {...common} endpoint={stopMember} verb="stopMember" target={{ id }} isEnabled={isKnown} />
      )}
      <CommandButton
        {...common}
        endpoint={eraseMember}
        verb="eraseMember"
        tone="danger"
        target={{ id }}
        isEnabled={isKnown && member.cardCount === 0}
      />
    </>
  )
}

function TieVerbs({ member: { id, name, state, ties } }: { member: MemberDetail }) {
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
