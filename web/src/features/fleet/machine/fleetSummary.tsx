import { summariseMachines } from '@aisle/contract/fleet/machine'
import { Tally } from '../../../shelf/tally'
import type { ListAddress } from '../../../admin/useAddress'
import { useEndpoint } from '../../../live/query'
import type { Tone } from '../../../ui/tag'
import { useText } from '../../../ui/text'

/** Worst first, as the list itself; each figure is a filter. */
const figures = [
  { name: 'total', tone: 'idle', query: {} },
  { name: 'fault', tone: 'bad', query: { condition: 'fault' } },
  { name: 'temperature', tone: 'bad', query: { condition: 'temperature_abnormal' } },
  { name: 'offline', tone: 'bad', query: { connection: 'offline' } },
  { name: 'unknown', tone: 'warn', query: { connection: 'unknown' } },
  { name: 'lowStock', tone: 'warn', query: { condition: 'low_stock' } },
  { name: 'stopWanted', tone: 'warn', query: { operation: 'stop_wanted' } },
  { name: 'stopped', tone: 'warn', query: { operation: 'stopped' } },
  { name: 'online', tone: 'good', query: { connection: 'online' } },
] as const satisfies readonly { name: string; tone: Tone; query: Record<string, string> }[]

/** How the fleet is, in one line; a count of nothing is quiet. */
export function FleetSummary({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const { data } = useEndpoint(summariseMachines, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({
        ...figure,
        word: t(`summary.${figure.name}`),
        count: data?.[figure.name],
      }))}
    />
  )
}
