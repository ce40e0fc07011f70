import { summarisePlays } from '@aisle/contract/lottery/play'
import { businessDay, dayPresets } from '../../ui/days'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const MINUTE_MS = 60_000

/** How the day goes, and what is owed; each figure is a filter. */
export function PlaySummary({ address }: { address: ListAddress }) {
  const t = useText('lottery')
  const { data } = useEndpoint(summarisePlays, {}, { errors: 'silent' })
  const today = dayPresets.today(businessDay(useNow(MINUTE_MS)))
  return (
    <Tally
      label={t('summary.plays')}
      address={address}
      figures={[
        { name: 'today', tone: 'idle', count: data?.today, word: t('summary.today'), query: today },
        { name: 'won', tone: 'good', count: data?.won, word: t('summary.won'), query: { ...today, state: 'won' } },
        {
          name: 'shipping',
          tone: 'busy',
          count: data?.shipping,
          word: t('summary.shipping'),
          query: { prizeState: 'shipping' },
        },
        { name: 'owed', tone: 'bad', count: data?.owed, word: t('summary.owed'), query: { prizeState: 'owed' } },
      ]}
    />
  )
}
