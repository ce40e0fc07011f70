import { orderState, paymentState } from '@aisle/contract/trade/states'
import { Clock } from '../../admin/fields/time'
import { type Moment, Timeline } from '../../ui/chart/timeline'
import type { Tone } from '../../ui/tag'
import { type Text, useText } from '../../ui/text'
import type { OrderDetail } from './orderDrawer'
import { eventDetail } from './order.story.rules'

type Event = OrderDetail['timeline'][number]

const tones: Partial<Record<Event['kind'], Tone>> = {
  sold: 'good',
  paid: 'good',
  itemDispensed: 'good',
  itemJammed: 'bad',
  itemFailed: 'bad',
  itemAgain: 'bad',
  noAnswer: 'bad',
  closed: 'idle',
  refundAsked: 'busy',
  refundPaid: 'good',
  refundFailed: 'bad',
  shippedAgain: 'busy',
  shipAgainFailed: 'bad',
}

/** What happened, each with its moment; what is still awaited stands last. */
export function Story({ order }: { order: OrderDetail }) {
  const t = useText('trade')
  const moments = order.timeline.map((event, at) => momentOf(event, at, t))
  const isWaiting = orderState.is(order.orderState, 'open')
  const awaited: Moment[] = isWaiting ? [{ key: 'awaited', tone: 'busy', title: awaitedOf(order, t), when: null }] : []
  return <Timeline moments={[...moments, ...awaited]} />
}

const momentOf = (event: Event, at: number, t: Text<'trade'>): Moment => ({
  key: `${at} ${event.kind}`,
  tone: tones[event.kind] ?? 'idle',
  title: t(`event.${event.kind}`),
  detail: eventDetail(event.detail, t),
  when: <Clock at={event.at} />,
})

const awaitedOf = (order: OrderDetail, t: Text<'trade'>): string =>
  paymentState.is(order.paymentState, 'unpaid') ? t('awaited.payment') : t('awaited.result')
