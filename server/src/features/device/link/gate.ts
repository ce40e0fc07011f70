import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../../kernel/context'
import type { MachineGate } from '../../../kernel/machineLink'
import { raiseAlarms } from '../../alarm/public'
import type { Unreadable } from './decode'
import { noteUnreadable } from './refusals'

const NOTED_EVERY_MS = 60_000
type Known = { id: number; merchantId: number; secretHash: Buffer }

/** Whom the embedded broker lets in, and where it tells of attempts on other machines' topics. */
export function machineGate(services: Services): MachineGate {
  const noted = new Map<number, number>()
  /** Once a minute for each machine: who guesses fast fills no table. */
  async function noteWrong({ id, merchantId }: Known): Promise<void> {
    const at = services.clock.now()
    if (at.getTime() - (noted.get(id) ?? 0) < NOTED_EVERY_MS) return
    noted.set(id, at.getTime())
    const wrong = { machineId: id, merchantId, cause: 'wrong_secret', at } as const
    await services.db.transaction().execute((tx) => raiseAlarms(tx, [wrong]))
  }
  return {
    mayConnect: async (code, secret) => {
      const found = await sql<Known>`select id, merchant_id as "merchantId", secret_hash as "secretHash" from machine
        where code = ${code}`.execute(services.db)
      const given = createHash('sha256').update(secret).digest()
      const [machine] = found.rows
      if (!machine) return false
      const isRight = timingSafeEqual(given, machine.secretHash)
      if (!isRight) await noteWrong(machine)
      return isRight
    },
    onForbidden: (machineCode, topic) => note(services, machineCode, 'forbiddenTopic', topic),
    onTooLarge: (machineCode, bytes) => note(services, machineCode, 'tooLarge', `${bytes} bytes`),
  }
}

function note(services: Services, machineCode: string, reason: 'forbiddenTopic' | 'tooLarge', detail: string): void {
  const receivedAt = services.clock.now()
  const odd: Unreadable = { machineCode, type: null, msgId: null, reason, detail, receivedAt }
  noteUnreadable(services, [odd]).catch((error: unknown) => services.log.error({ error, reason }, 'refusal not noted'))
}
