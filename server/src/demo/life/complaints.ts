import {
  answerCustomerCase,
  closeCustomerCase,
  customerState,
  takeCustomerCase,
} from '@aisle/contract/support/customer'
import { itemState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { addWord, complain } from '../../features/support/customer/complain.commands'
import { placeOf } from '../../features/support/customer/place.reads'
import { codeOf } from '../../features/support/customer/code'
import { statesIn } from '../../kernel/states'
import { HOUR_MS } from '../calendar'
import { stories } from '../data/complaints'
import type { Past } from './within'

const minutes = (count: number) => count * 60_000
/** On the public page, and answered by support as it would be. */
export async function complainAtMachines(past: Past): Promise<void> {
  const { tx, latestMs } = past
  const since = new Date(latestMs - 24 * HOUR_MS)
  const bad = sql`exists (select 1 from order_item i where i.merchant_id = o.merchant_id
    and i.occurred_at = o.occurred_at and i.order_id = o.id and i.state in ${statesIn(itemState, 'bad')})`
  const found = await sql<{ code: string; paidFen: number; paidAt: Date; isFailed: boolean }>`
    select distinct on ("isFailed", m.id) m.code, o.paid_fen as "paidFen", o.paid_at as "paidAt", ${bad} as "isFailed"
    from orders o join machine m on m.id = o.machine_id and m.retired_at is null
    where o.paid_at between ${since} and ${new Date(latestMs - HOUR_MS)} and o.paid_fen between 100 and 5000
    order by "isFailed", m.id, o.paid_at desc`.execute(tx)
  const left = found.rows.sort((a, b) => b.paidAt.getTime() - a.paidAt.getTime() || a.code.localeCompare(b.code))
  for (const story of stories) {
    const at = left.findIndex(({ isFailed }) => isFailed === story.isFailed)
    const [order] = at < 0 ? [] : left.splice(at, 1)
    if (order) await tell(past, story, order)
  }
}

type Order = { code: string; paidFen: number; paidAt: Date }

async function tell({ services, as, at, tx }: Past, story: (typeof stories)[number], order: Order): Promise<void> {
  const { kind, body, phone, language, answer, isOver, word } = story
  at(order.paidAt.getTime() + minutes(4))
  const place = await placeOf(services, codeOf(services.keys, order.code))
  if (!place) return
  const said = { kind, amountFen: order.paidFen, happenedAt: order.paidAt, goods: '', body, phone }
  const token = await complain(services, { place, once: `${order.code}${kind}`, language }, said, null)
  if (!answer) return
  const made = await sql<{ id: number }>`select id from customer_case
    where id = (select max(id) from customer_case) and state in ${statesIn(customerState, 'waiting')}`.execute(tx)
  const [waiting] = made.rows
  // Money that was plainly paid twice has gone back by itself.
  if (!waiting) return
  const { id } = waiting
  at(order.paidAt.getTime() + minutes(30))
  await as('admin', takeCustomerCase, { id })
  await as('admin', answerCustomerCase, { id, body: answer })
  at(order.paidAt.getTime() + minutes(50))
  if (isOver) await as('admin', closeCustomerCase, { id })
  if (word) await addWord(services, token, word)
}
