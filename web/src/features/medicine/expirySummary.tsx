import { summariseExpiry } from '@aisle/contract/medicine/expiry'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** What is lost, what may be, and what stands behind it; each figure is a filter. */
export function ExpirySummary({ address }: { address: ListAddress }) {
  const t = useText('medicine')
  const { data } = useEndpoint(summariseExpiry, {}, { errors: 'silent' })
  const figures = [
    { name: 'expired', tone: 'bad', fen: data?.expiredFen, query: { standing: 'expired' } },
    { name: 'within30', tone: 'warn', fen: data?.within30Fen, query: { within: '30' } },
    { name: 'near', tone: 'idle', fen: data?.nearFen, query: { standing: 'near' } },
    { name: 'blocking', tone: 'bad', fen: data?.trappedFen, query: { blocking: 'yes' } },
  ] as const
  return (
    <Tally
      label={t('expiry.summary')}
      address={address}
      figures={figures.map((each) => ({ ...each, word: t(`expiry.summary.${each.name}`), count: data?.[each.name] }))}
    />
  )
}
