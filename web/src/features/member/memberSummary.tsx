import { summariseMembers } from '@aisle/contract/member/member'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** How many there are, and what is left to do about them; each figure is a filter. */
export function MemberSummary({ address }: { address: ListAddress }) {
  const t = useText('member')
  const { data } = useEndpoint(summariseMembers, {}, { errors: 'silent' })
  const figures = [
    { name: 'known', tone: 'good', query: {} },
    { name: 'withCard', tone: 'good', query: { card: 'with' } },
    { name: 'withoutCard', tone: 'idle', query: { card: 'without' } },
    { name: 'consentMissing', tone: 'warn', query: { consent: 'missing' } },
    { name: 'stopped', tone: 'idle', query: { state: 'stopped' } },
  ] as const
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((each) => ({ ...each, word: t(`summary.${each.name}`), count: data?.[each.name] }))}
    />
  )
}
