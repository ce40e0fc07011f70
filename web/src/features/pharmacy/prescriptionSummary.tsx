import { summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const figures = [
  { name: 'waiting', tone: 'warn', query: { state: 'submitted', sort: 'waiting' } },
  { name: 'approved', tone: 'good', query: { state: 'approved', sort: 'expiry' } },
  { name: 'rejected', tone: 'idle', query: { state: 'rejected' } },
  { name: 'doubt', tone: 'bad', query: { fill: 'doubt' } },
  { name: 'excess', tone: 'bad', query: { fill: 'excess' } },
] as const

/** How the prescriptions stand; each figure is a filter. */
export function PrescriptionSummary({ address }: { address: ListAddress }) {
  const t = useText('pharmacy')
  const { data } = useEndpoint(summarisePrescriptions, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}
