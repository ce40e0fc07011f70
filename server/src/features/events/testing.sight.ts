import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { addApiKey } from '../../testing/apiKeys'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'api-keys': 'merchant',
    'api-key-scopes': 'everybody',
    webhooks: 'machine',
    'webhook-deliveries': 'machine',
  },
  fields: { configId: 'integrations', webhookId: 'webhooks' },
  rows: {
    'api-keys': addKey,
    webhooks: addWebhook,
    'webhook-deliveries': addDelivery,
  },
}

async function addKey(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const { id } = await addApiKey(db, { merchantId, name: mark, scopes: ['machine.read'], at })
  return id
}

async function addWebhook(db: Reader, { merchantId, machines, mark, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`with feed as (
        insert into integration_config (merchant_id, machine_id, parent_class, child_class, interface_type,
          contract_number, created_at)
        values (${merchantId}, ${machines[0]?.id}, 'erp', 'event_feed', 'both', ${mark}, ${at})
        on conflict on constraint integration_config_one do update set contract_number = excluded.contract_number
        returning id)
      insert into webhook_endpoint (config_id, address, secret, created_at)
      select id, ${`https://${mark.toLowerCase()}.example.com/hook`}, '', ${at} from feed`,
  )
}

async function addDelivery(db: Reader, { merchantId, machines, mark, at, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`with event as (
        insert into event_log (merchant_id, machine_id, kind, object, occurred_at, numbered_at, data)
        values (${merchantId}, ${machines[0]?.id}, 'order.paid', ${`order:${mark}`}, ${at}, ${at}, '{}')
        returning number, numbered_at, kind, object)
      insert into webhook_delivery (endpoint_id, number, numbered_at, kind, object, state)
      select ${await idOf('webhooks')}, number, numbered_at, kind, object, 'dead' from event`,
  )
}
