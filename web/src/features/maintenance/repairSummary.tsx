import { summariseRepairOrders } from '@aisle/contract/maintenance/repairOrder'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const figures = [
  { name: 'overdue', tone: 'bad', query: { due: 'overdue' } },
  { name: 'unassigned', tone: 'warn', query: { state: 'open', assignee: 'nobody' } },
  { name: 'inProgress', tone: 'idle', query: { state: 'in_progress' } },
  { name: 'done', tone: 'warn', query: { state: 'done' } },
  { name: 'mine', tone: 'idle', query: { assignee: 'me' } },
] as const

/** How the work stands; each figure is a filter. */
export function RepairSummary({ address }: { address: ListAddress }) {
  const t = useText('maintenance')
  const { data } = useEndpoint(summariseRepairOrders, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('summary')}
      address={address}
      figures={figures.map((figure) => ({ ...figure, word: t(`summary.${figure.name}`), count: data?.[figure.name] }))}
    />
  )
}
