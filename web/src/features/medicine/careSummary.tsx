import { summariseCare } from '@aisle/contract/medicine/care'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** How the care stands; each figure is a filter. */
export function CareSummary({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const { data } = useEndpoint(summariseCare, {}, { errors: 'silent' })
  const month = data?.month ?? ''
  const figures = [
    { name: 'overdue', tone: 'bad', query: { due: 'overdue' } },
    { name: 'today', tone: 'warn', query: { due: 'today' } },
    { name: 'week', tone: 'idle', query: { due: 'week' } },
    { name: 'doneThisMonth', tone: 'good', query: { state: 'done', month } },
    { name: 'missedThisMonth', tone: 'bad', query: { state: 'missed', month } },
  ] as const
  return (
    <Tally
      label={t('care.summary')}
      address={address}
      figures={figures.map((each) => ({ ...each, word: t(`care.summary.${each.name}`), count: data?.[each.name] }))}
    />
  )
}
