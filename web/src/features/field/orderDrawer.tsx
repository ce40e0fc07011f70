import * as contract from '@aisle/contract/field/replenishmentOrder'
import { countText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { OrderPaper } from './orderPaper'
import { OrderVisits } from './orderVisits'
import { type OrderDetail, OrderVerbs } from './orderVerbs'

/** Machine by machine in the order of the tour: what to bring to which slot, why, and what was put in. */
export function OrderDrawer({ id }: DrawerRow) {
  const t = useText('field')
  const result = useEndpoint(contract.getReplenishmentOrder, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, replenisherName }) => `${no} · ${replenisherName}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={contract.replenishmentOrderFields.state} t={t} />
        </div>
      )}
      actions={(order) => (
        <>
          <OrderVerbs order={order} />
          <OrderPaper order={order} />
        </>
      )}
    >
      {(order) => (
        <>
          <OrderFacts order={order} />
          <OrderVisits id={order.id} />
          {order.stops.map((stop) => (
            <Stop key={stop.machineId} stop={stop} hasBegun={order.startedAt !== null} />
          ))}
        </>
      )}
    </RowDrawer>
  )
}

type StopOf = OrderDetail['stops'][number]
const tones: Record<contract.NeedReason, Tone> = {
  newProduct: 'busy',
  empty: 'bad',
  expiring: 'warn',
  belowAlarm: 'warn',
  sellsOut: 'idle',
}

function Stop({ stop, hasBegun }: { stop: StopOf; hasBegun: boolean }) {
  const t = useText('field')
  const stake = stop.lines.reduce((sum, { stakeFen }) => sum + stakeFen, 0)
  return (
    <Section title={`${stop.machineCode} ${stop.machineName}`} note={<Money fen={stake} />}>
      <p className="quiet">
        <MachineLink code={stop.machineCode} /> · {stop.pointName}
      </p>
      <ul className={lined.lines}>
        {stop.lines.map((line) => (
          <li key={line.slotId}>
            <span className={lined.what}>
              {`${line.slotCode} ${line.productName} ${line.specification}`.trim()}
              <small className="quiet">{whyOf(t, line)}</small>
            </span>
            <Tag tone={tones[line.reason]} word={t(`needReason.${line.reason}`)} />
            <span className={lined.count}>
              {hasBegun
                ? t('order.went', { filled: countText(line.filled), planned: countText(line.bring) })
                : `+${countText(line.bring)}`}
            </span>
            {hasBegun && line.filled > line.fromBag && (
              <Tag tone="warn" word={t('order.notFromBag', { count: countText(line.filled - line.fromBag) })} />
            )}
          </li>
        ))}
      </ul>
      {stop.unplanned > 0 && <p className="quiet">{t('order.unplanned', { count: countText(stop.unplanned) })}</p>}
    </Section>
  )
}

function whyOf(t: ReturnType<typeof useText<'field'>>, line: contract.ReplenishmentLine): string {
  const { there, capacity, takeOut, perDay, lastsDays } = line
  return [
    t('order.there', { there: countText(there), capacity: countText(capacity) }),
    takeOut > 0 && t('order.takeOut', { count: countText(takeOut) }),
    lastsDays !== null && t('order.sells', { perDay: String(perDay), days: String(lastsDays) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function OrderFacts({ order }: { order: OrderDetail }) {
  const t = useText('field')
  const { outbound, startedAt, endedAt } = order
  return (
    <Section title={t('order.facts')}>
      <Facts
        facts={[
          { label: t('field.planned'), value: countText(order.planned) },
          { label: t('field.filled'), value: order.filled !== null && countText(order.filled) },
          { label: t('field.stakeFen'), value: <Money fen={order.stakeFen} /> },
          { label: t('field.coverDays'), value: countText(order.coverDays) },
          { label: t('field.routeName'), value: order.routeName },
          { label: t('field.warehouseName'), value: order.warehouseName },
          {
            label: t('order.outbound'),
            value: outbound && (
              <ScreenLink screen="jxcgl/chd" search={{ open: String(outbound.id) }}>
                {outbound.no}
              </ScreenLink>
            ),
          },
          { label: t('field.maker'), value: order.maker },
          { label: t('field.madeAt'), value: <When at={order.madeAt} /> },
          { label: t('field.startedAt'), value: startedAt && <When at={startedAt} /> },
          { label: t('field.ender'), value: order.ender },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('field.reason'), value: order.endReason },
          { label: t('field.note'), value: order.note },
          { label: t('field.merchantName'), value: order.merchantName },
        ]}
      />
    </Section>
  )
}
