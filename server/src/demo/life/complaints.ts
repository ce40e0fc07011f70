import { answerCustomerCase, closeCustomerCase, takeCustomerCase } from '@aisle/contract/support/customer'
import { itemState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { addWord, complain } from '../../features/support/customer/complain.commands'
import { placeOf } from '../../features/support/customer/place.reads'
import { codeOf } from '../../features/support/customer/code'
import { statesIn } from '../../kernel/states'
import { HOUR_MS } from '../calendar'
import type { Past } from './within'

const minutes = (count: number) => count * 60_000
const waits = { isFailed: false, language: 'zh', phone: '', answer: '', isOver: false, word: '' } as const

/** What customers say who stand before a machine, of the newest orders that went wrong and of others. */
const stories = [
  { ...waits, isFailed: true, kind: 'nothing', body: '弹簧转了，东西没掉下来。', phone: '13800138021' },
  { ...waits, isFailed: true, kind: 'stuck', body: 'It hangs on the spiral.', language: 'en' },
  { ...waits, kind: 'wrong', body: '要的是无糖的，出来的是原味。', answer: '抱歉，货道放错了，已请补货员当天更换。' },
  { ...waits, kind: 'other', body: '屏幕太暗，看不清价格。', answer: '谢谢，已调亮。', isOver: true },
  {
    ...waits,
    kind: 'twice',
    body: '好像扣了两次。',
    phone: '13800138022',
    answer: '请看付款记录。',
    word: '确实是两笔。',
  },
  { ...waits, kind: 'nothing', body: "J'ai payé et rien n'est sorti.", language: 'fr' },
] as const

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

async function tell(
  past: Past,
  story: (typeof stories)[number],
  order: { code: string; paidFen: number; paidAt: Date },
) {
  const { services, as, at } = past
  const { kind, body, phone, language, answer, isOver, word } = story
  at(order.paidAt.getTime() + minutes(4))
  const place = await placeOf(services, codeOf(services.keys, order.code))
  if (!place) return
  const said = { kind, amountFen: order.paidFen, happenedAt: order.paidAt, goods: '', body, phone }
  const token = await complain(services, { place, once: `${order.code}${kind}`, language }, said, null)
  if (!answer) return
  const made = await sql<{ id: number }>`select max(id)::bigint as id from customer_case`.execute(past.tx)
  const id = made.rows[0]?.id ?? 0
  at(order.paidAt.getTime() + minutes(30))
  await as('admin', takeCustomerCase, { id })
  await as('admin', answerCustomerCase, { id, body: answer })
  at(order.paidAt.getTime() + minutes(50))
  if (isOver) await as('admin', closeCustomerCase, { id })
  if (word) await addWord(services, token, word)
}
