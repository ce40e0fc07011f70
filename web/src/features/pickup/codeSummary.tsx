import { summarisePickupCodes } from '@aisle/contract/pickup/pickupCode'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** What still gives something, and what soon will not; each figure is a filter. */
export function CodeSummary({ address }: { address: ListAddress }) {
  const t = useText('pickup')
  const { data } = useEndpoint(summarisePickupCodes, {}, { errors: 'silent' })
  const state = (name: 'unused' | 'in_use' | 'partly_shipped' | 'invalid') => ({
    name,
    word: t(`pickupCodeState.${name}`),
    query: { state: name },
  })
  return (
    <Tally
      label={t('summary.codes')}
      address={address}
      figures={[
        { ...state('unused'), tone: 'good', count: data?.unused },
        { ...state('in_use'), tone: 'busy', count: data?.inUse },
        { ...state('partly_shipped'), tone: 'warn', count: data?.partlyShipped },
        {
          name: 'expiring',
          tone: 'warn',
          word: t('summary.expiring'),
          count: data?.expiring,
          query: { sort: 'expiry', from: data?.today ?? '', to: data?.expiringTo ?? '' },
        },
        { ...state('invalid'), tone: 'bad', count: data?.invalid },
      ]}
    />
  )
}
