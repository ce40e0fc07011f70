import type { webhookEnds } from '@aisle/contract/events/webhook'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import { word } from '../../kernel/words'
import { administratorsOf } from '../merchant/public'

type About = { merchantId: number; merchant: string; address: string; dead: number }

/** Whoever runs the merchant hears that nobody is behind a webhook any more, and how much was not delivered. */
export async function tellEnded(
  { db, clock, keys }: Services,
  id: number,
  endedBy: (typeof webhookEnds)[number],
): Promise<void> {
  const found = await sql<About>`select m.id as "merchantId", m.name as merchant, e.address,
      (select count(*)::int from webhook_delivery d where d.endpoint_id = e.id and d.state = 'dead') as dead
    from webhook_endpoint e join integration_config c on c.id = e.config_id join merchant m on m.id = c.merchant_id
    where e.id = ${id}`.execute(db)
  const about = found.rows[0]
  if (!about) return
  const at = clock.now()
  for (const { userId, merchantId, language } of await administratorsOf(db, about.merchantId)) {
    const { merchant, address, dead } = about
    const reason = word(language, 'events', `webhookEnd.${endedBy}`)
    await send(db, keys, {
      type: 'webhook.ended',
      channel: 'web',
      merchantId,
      userId,
      receiver: '',
      title: address,
      body: reason,
      vars: { merchant, address, reason, dead: String(dead) },
      reference: `webhook.ended/${id}/${at.toISOString()}/${userId}`,
      at,
    })
  }
}
