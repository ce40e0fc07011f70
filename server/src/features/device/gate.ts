import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { MachineGate } from '../../kernel/machineLink'
import type { Unreadable } from './decode'
import { noteUnreadable } from './refusals'

/** Whom the embedded broker lets in, and where it tells of attempts on other machines' topics. */
export function machineGate(services: Services): MachineGate {
  return {
    mayConnect: async (code, secret) => {
      const found = await sql<{ secret_hash: Buffer }>`select secret_hash from machine where code = ${code}`.execute(
        services.db,
      )
      const given = createHash('sha256').update(secret).digest()
      const kept = found.rows[0]?.secret_hash
      return kept !== undefined && timingSafeEqual(given, kept)
    },
    onForbidden: (machineCode, topic) => {
      const at = services.clock.now()
      const forbidden: Unreadable = {
        machineCode,
        type: null,
        msgId: null,
        reason: 'forbiddenTopic',
        detail: topic,
        receivedAt: at,
      }
      noteUnreadable(services, [forbidden]).catch((error: unknown) =>
        services.log.error({ error }, 'forbidden topic not noted'),
      )
    },
  }
}
