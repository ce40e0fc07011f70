import { summariseRefunds } from '@aisle/contract/refund/refund'
import { waitingStates } from '@aisle/contract/refund/states'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import type { Tone } from '../../ui/tag'
import { useText } from '../../ui/text'

const tones: Record<(typeof waitingStates)[number], Tone> = {
  pending_review: 'warn',
  refunding: 'idle',
  unknown: 'warn',
  failed: 'bad',
  needs_handling: 'bad',
}

/** What is not over, with the money in it; each figure is a filter. */
export function RefundSummary({ address }: { address: ListAddress }) {
  const t = useText('refund')
  const { data } = useEndpoint(summariseRefunds, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={waitingStates.map((state) => ({
        name: state,
        tone: tones[state],
        word: t(`summary.${state}`),
        count: data?.[state].count,
        fen: data?.[state].fen,
        query: { state },
      }))}
    />
  )
}
