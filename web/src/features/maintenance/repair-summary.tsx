import { summariseRepairOrders } from '@aisle/contract/maintenance/repairOrder'
import { hasSameConditions } from '../../admin/address'
import { countText } from '../../admin/fields/number'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import './maintenance.css'

const figures = [
  { key: 'overdue', tone: 'bad', query: { due: 'overdue' } },
  { key: 'unassigned', tone: 'warn', query: { state: 'open', assignee: 'nobody' } },
  { key: 'inProgress', tone: 'idle', query: { state: 'in_progress' } },
  { key: 'done', tone: 'warn', query: { state: 'done' } },
  { key: 'mine', tone: 'idle', query: { assignee: 'me' } },
] as const

/** How the work stands; each figure is a filter. */
export function RepairSummary({ address }: { address: ListAddress }) {
  const t = useText('maintenance')
  const { data } = useEndpoint(summariseRepairOrders, {}, { errors: 'silent' })
  return (
    <div className="work-figures" role="group" aria-label={t('summary')}>
      {figures.map(({ key, tone, query }) => (
        <button
          key={key}
          type="button"
          className={`work-figure tone-${data?.[key] ? tone : 'idle'}`}
          aria-pressed={hasSameConditions(query, address.query)}
          onClick={() => address.show(query)}
        >
          <span>{t(`summary.${key}`)}</span>
          <strong>{data ? countText(data[key]) : '–'}</strong>
        </button>
      ))}
    </div>
  )
}
