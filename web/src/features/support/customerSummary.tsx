import { summariseCustomerCases } from '@aisle/contract/support/customer'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const figures = [
  { name: 'overdue', tone: 'bad', query: { state: 'overdue' } },
  { name: 'toAnswer', tone: 'warn', query: { state: 'toAnswer' } },
  { name: 'reopened', tone: 'warn', query: { state: 'reopened' } },
  { name: 'mine', tone: 'idle', query: { assignee: 'me' } },
] as const

/** How the work stands; each figure is a filter. */
export function CustomerSummary({ address }: { address: ListAddress }) {
  const t = useText('support')
  const { data } = useEndpoint(summariseCustomerCases, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}
