import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'partner-shipments': 'machine',
  },
  rows: {
    'partner-shipments': addPartnerRequest,
  },
}

async function addPartnerRequest(db: Reader, { merchantId, machines, mark, at, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into partner_request (config_id, merchant_id, machine_id, request_no, body_hash, body, answer, order_id,
        order_no, created_at)
      select ${await idOf('integrations')}, ${merchantId}, ${machines[0]?.id}, ${`${mark}-1`}, '\\x00',
        ${`${mark} body`}, '{}',
        id, order_no, ${at} from orders where id = ${await idOf('orders')}`,
  )
}
