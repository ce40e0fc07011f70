import { listComingVisits, type ComingVisit } from '@aisle/contract/field/coming'
import { replenishmentOrderFields } from '@aisle/contract/field/replenishmentOrder'
import { countText } from '../../../admin/fields/number'
import { ScreenLink } from '../../../admin/fields/ref'
import { StateCell } from '../../../admin/fields/state'
import { Day } from '../../../admin/fields/time'
import { useEndpoint } from '../../../live/query'
import { can } from '../../../live/session'
import { useText } from '../../../ui/text'
import { Section } from '../../../ui/feedback/drawer'
import styles from './comingVisits.module.css'

/** Who comes next, and what is on its way; nothing for who may not see tours. */
export function ComingVisits(of: { machineId: number } | { routeId: number }) {
  return can(listComingVisits.access) ? <Visits {...of} /> : null
}

function Visits(of: { machineId: number } | { routeId: number }) {
  const t = useText('field')
  const { data } = useEndpoint(listComingVisits, of, { errors: 'silent' })
  if (!data) return null
  const { items, nextOn } = data
  return (
    <Section title={t('coming.title')}>
      {items.length === 0 && (
        <p className="quiet">
          {nextOn ? t('coming.byRoute') : t('coming.none')} {nextOn && <Day on={nextOn} />}
        </p>
      )}
      {items.length > 0 && (
        <ul className={styles.visits}>
          {items.map((visit) => (
            <Visit key={visit.orderId} visit={visit} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Visit({ visit: { orderId, no, state, replenisherName, machines, pieces, filled } }: { visit: ComingVisit }) {
  const t = useText('field')
  return (
    <li>
      <ScreenLink screen="jxcgl/bhd" search={{ open: String(orderId) }}>
        {no}
      </ScreenLink>
      <StateCell value={state} field={replenishmentOrderFields.state} t={t} />
      <span>{replenisherName}</span>
      <small className="quiet">
        {[
          machines > 1 && t('coming.machines', { count: countText(machines) }),
          t('coming.pieces', { count: countText(pieces) }),
          filled > 0 && t('coming.filled', { count: countText(filled) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </li>
  )
}
