import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { seal } from '../../kernel/seal'
import type { HttpWorld } from '../../testing/http'
import type { World } from '../../testing/world'
import { signatureOf, signedText } from './signature.rules'

export const FEED_SECRET = 'a-secret-of-a-feed'

type Feed = { merchantId: number; machineId?: number; interfaceType?: 'push' | 'pull' | 'both' }

/** An event feed that is enabled. */
export async function addFeed({ services }: World, feed: Feed): Promise<number> {
  const { db, keys, clock } = services
  const made = await sql<{ id: number }>`insert into integration_config (merchant_id, machine_id, parent_class,
      child_class, interface_type, contract_number, created_at)
    values (${feed.merchantId}, ${feed.machineId ?? null}, 'erp', 'event_feed', ${feed.interfaceType ?? 'both'}, 'C-9',
      ${clock.now()}) returning id`.execute(db)
  const id = made.rows[0]?.id ?? 0
  await sql`update integration_config set state = 'enabled', secret_set_at = ${clock.now()},
    secret = ${seal(keys, `integration:${id}`, FEED_SECRET)} where id = ${id}`.execute(db)
  return id
}

/** As a program of somebody's calls it. */
export async function readOpen({ services }: World, { app }: HttpWorld, key: number, url: string) {
  const atMs = services.clock.now().getTime()
  const nonce = randomUUID()
  const response = await app.inject({
    method: 'GET',
    url,
    headers: {
      'accept-language': 'en',
      'x-aisle-key': String(key),
      'x-aisle-timestamp': String(atMs),
      'x-aisle-nonce': nonce,
      'x-aisle-signature': signatureOf(FEED_SECRET, signedText({ method: 'GET', url, body: '' }, { atMs, nonce })),
    },
  })
  const body = response.json() as Record<string, unknown>
  return { status: response.statusCode, headers: response.headers, body }
}
