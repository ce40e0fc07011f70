import { summariseShipments } from '@aisle/contract/partner/shipment'
import { businessDay, dayPresets } from '../../ui/days'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const MINUTE_MS = 60_000

/** How the day goes, and what nobody has heard; each figure is a filter. */
export function ShipmentSummary({ address }: { address: ListAddress }) {
  const t = useText('partner')
  const { data } = useEndpoint(summariseShipments, {}, { errors: 'silent' })
  const today = dayPresets.today(businessDay(useNow(MINUTE_MS)))
  const figures = [
    { name: 'today', tone: 'idle', query: today },
    { name: 'shipping', tone: 'busy', query: { result: 'shipping' } },
    { name: 'undelivered', tone: 'bad', query: { ...today, result: 'failed' } },
    { name: 'waiting', tone: 'warn', query: { callback: 'waiting' } },
    { name: 'failed', tone: 'bad', query: { callback: 'failed' } },
  ] as const
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}
