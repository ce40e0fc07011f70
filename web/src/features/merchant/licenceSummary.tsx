import { licenceStates, summariseLicences } from '@aisle/contract/merchant/licence'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const tones = { expired: 'bad', expiring: 'warn', valid: 'good', revoked: 'idle' } as const

/** How many are in each state, for who renews them. */
export function LicenceSummary({ address }: { address: ListAddress }) {
  const t = useText('merchant')
  const { data } = useEndpoint(summariseLicences, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('licence.summary')}
      address={address}
      figures={licenceStates.map((state) => ({
        name: state,
        word: t(`licenceState.${state}`),
        tone: tones[state],
        count: data?.[state],
        query: { state },
      }))}
    />
  )
}
