import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOrder } from '@aisle/contract/trade/order'
import { remoteShipState, type RemoteShipState } from '@aisle/contract/device/remoteShip'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

export type Act = {
  at: Date
  kind: OutputOf<typeof getOrder>['timeline'][number]['kind']
  detail: Record<string, string>
}

/** What a refund's own story calls it, and the order's. */
const ofRefunds: Record<string, Act['kind']> = {
  open: 'refundAsked',
  apply: 'refundAsked',
  approve: 'refundApproved',
  reject: 'refundDropped',
  redelivered: 'refundDropped',
  confirm: 'refundPaid',
  agreePayBack: 'refundPaid',
  paidToo: 'refundPaid',
  failed: 'refundFailed',
  needs_handling: 'refundFailed',
}
/** A person's own words; all else that stands with a refund's event is a code of ours or the channel's. */
const withReason = new Set(['apply', 'reject'])

type RefundAct = { at: Date; verb: string; who: string | null; refund: string; note: string }
type Again = { at: Date; product: string; slot: string; motor: string; sensor: string }
type Shipped = {
  at: Date
  endedAt: Date | null
  state: RemoteShipState
  who: string | null
  slot: string
  reason: string
}

/** What people and rules did about an order after it was sold: refunds, goods let out from afar, its case. */
export async function findActs(db: Reader, orderId: number): Promise<Act[]> {
  const refunds = await sql<RefundAct>`
    select e.at, e.verb, u.display_name as who, r.refund_no as refund, e.note
    from refund r join refund_event e on e.refund_id = r.id left join app_user u on u.id = e.user_id
    where r.order_id = ${orderId} and e.verb = any(${Object.keys(ofRefunds)}::text[]) order by e.id`.execute(db)
  const ships = await sql<Shipped>`
    select s.created_at as at, s.finished_at as "endedAt", s.state, u.display_name as who, s.slot_code as slot, s.reason
    from remote_ship s left join app_user u on u.id = s.created_by where s.order_id = ${orderId} order by s.id
  `.execute(db)
  const seconds = await sql<Again>`
    select s.came_at as at, p.name as product, slot.code as slot, coalesce(s.motor_code, '') as motor,
      coalesce(s.sensor_code, '') as sensor
    from second_piece s join order_number n on n.order_id = s.order_id
    join order_item i on i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id
      and i.index = s.index
    join slot on slot.id = i.slot_id join product p on p.id = i.product_id
    where s.order_id = ${orderId} order by s.index`.execute(db)
  const cases = await sql<{ at: Date; who: string | null; reason: string }>`
    select k.closed_at as at, u.display_name as who, k.reason
    from problem_case k left join app_user u on u.id = k.closed_by
    where k.order_id = ${orderId} and k.outcome = 'confirmed' and k.closed_at is not null order by k.id`.execute(db)
  return [
    ...refunds.rows.flatMap(actOfRefund),
    ...ships.rows.flatMap(actsOfShip),
    ...seconds.rows.map(({ at, ...facts }): Act => ({ at, kind: 'itemAgain', detail: factTexts(facts) })),
    ...cases.rows.map(({ at, who, reason }): Act => ({ at, kind: 'caseClosed', detail: factTexts({ who, reason }) })),
  ]
}

function actOfRefund({ at, verb, who, refund, note }: RefundAct): Act[] {
  const kind = ofRefunds[verb]
  const reason = withReason.has(verb) ? note : ''
  return kind ? [{ at, kind, detail: factTexts({ who, refund, reason }) }] : []
}

/** What came out stands with the item that it made good. */
function actsOfShip({ at, endedAt, state, who, slot, reason }: Shipped): Act[] {
  const sent: Act = { at, kind: 'shippedAgain', detail: factTexts({ who, slot, reason }) }
  const isOver = endedAt !== null && !remoteShipState.is(state, 'dispensed')
  return isOver ? [sent, { at: endedAt, kind: 'shipAgainFailed', detail: factTexts({ slot }) }] : [sent]
}

const factTexts = (facts: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).flatMap(([name, text]) => (text ? [[name, text]] : [])))
