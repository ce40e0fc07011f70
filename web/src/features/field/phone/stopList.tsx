import type { FieldDay, FieldStop } from '@aisle/contract/field/visit'
import { needReasons } from '@aisle/contract/field/replenishmentOrder'
import { Money } from '../../../ui/money'
import { useText } from '../../../ui/text'
import { usePhone } from './outbox'
import styles from './phone.module.css'
import { stageOf } from './phone.rules'

/** Visits in the order of the tours, each with why it is made. */
export function StopList({ day }: { day: FieldDay }) {
  const t = useText('field')
  if (day.stops.length === 0) return <p className={styles.note}>{t('phone.noStops')}</p>
  return (
    <ol className={styles.list}>
      {day.stops.map((stop, at) => (
        <li key={`${stop.orderId}/${stop.machineId}`}>
          <StopCard day={day} stop={stop} place={at + 1} />
        </li>
      ))}
    </ol>
  )
}

function StopCard({ day, stop, place }: { day: FieldDay; stop: FieldStop; place: number }) {
  const t = useText('field')
  const { steps } = usePhone()
  const stage = stageOf(stop, steps)
  const order = day.orders.find(({ id }) => id === stop.orderId)
  const why = needReasons
    .map((reason) => ({ reason, count: stop.lines.filter((line) => line.reason === reason).length }))
    .filter(({ count }) => count > 0)
  return (
    <a className={styles.card} data-stage={stage} href={`#${stop.orderId}/${stop.machineId}`}>
      <span className={styles.cardHead}>
        <strong>
          {place}. {stop.machineName}
        </strong>
        <span>{t(`phone.stage.${stage}`)}</span>
      </span>
      <span>
        {stop.machineCode} · {stop.pointName}
      </span>
      <span className={styles.faint}>{stop.address}</span>
      <span>{why.map(({ reason, count }) => `${t(`needReason.${reason}`)} ${count}`).join(' · ')}</span>
      <span className={styles.faint}>
        {order?.no} · <Money fen={stop.stakeFen} />
      </span>
    </a>
  )
}
