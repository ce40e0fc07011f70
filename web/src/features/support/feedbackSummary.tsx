import { summariseFeedback } from '@aisle/contract/support/feedback'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const figures = [
  { name: 'timeout', tone: 'bad', query: { state: 'timeout' } },
  { name: 'unprocessed', tone: 'warn', query: { state: 'unprocessed' } },
  { name: 'processing', tone: 'idle', query: { state: 'processing' } },
  { name: 'mine', tone: 'idle', query: { assignee: 'me' } },
] as const

/** How the work stands; each figure is a filter. */
export function FeedbackSummary({ address }: { address: ListAddress }) {
  const t = useText('support')
  const { data } = useEndpoint(summariseFeedback, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}
