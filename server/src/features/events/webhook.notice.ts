import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import { word } from '../../kernel/words'
import { administratorsOf } from '../merchant/public'
import type { Bad } from './webhook.store'

type About = { merchantId: number; merchant: string; address: string; dead: number }

/** Whoever runs the merchant hears of the end of a webhook, and once a day that events of it are dead letters. */
export async function tellBad({ db, clock, keys }: Services, id: number, bad: NonNullable<Bad>): Promise<void> {
  const found = await sql<About>`select m.id as "merchantId", m.name as merchant, e.address,
      (select count(*)::int from webhook_delivery d where d.endpoint_id = e.id and d.state = 'dead') as dead
    from webhook_endpoint e join integration_config c on c.id = e.config_id join merchant m on m.id = c.merchant_id
    where e.id = ${id}`.execute(db)
  const about = found.rows[0]
  if (!about) return
  const at = clock.now()
  const type = bad === 'dead' ? 'webhook.dead' : 'webhook.ended'
  const once = bad === 'dead' ? at.toISOString().slice(0, 10) : at.toISOString()
  for (const { userId, merchantId, language } of await administratorsOf(db, about.merchantId)) {
    const { merchant, address, dead } = about
    const reason = word(language, 'events', `webhookEnd.${bad}`)
    await send(db, keys, {
      type,
      channel: 'web',
      merchantId,
      userId,
      receiver: '',
      title: address,
      body: reason,
      vars: { merchant, address, reason, dead: String(dead) },
      reference: `${type}/${id}/${once}/${userId}`,
      at,
    })
  }
}
