import { downTopic } from '@aisle/contract/device/topics'
import type { Services } from '../../../kernel/context'
import type { MachineLink } from '../../../kernel/machineLink'
import type { Unreadable } from './decode'
import { findMachines } from '../../trade/public'
import { noteRefusals } from './message.store'

/** Notes what could not be read, and tells senders that gave an id not to send it again. */
export async function refuseUnreadable(
  services: Services,
  link: MachineLink,
  odd: readonly Unreadable[],
): Promise<void> {
  await noteUnreadable(services, odd)
  for (const { machineCode, msgId, reason } of odd) {
    if (msgId)
      link.publish(downTopic(machineCode, 'ack'), JSON.stringify({ acks: [{ msgId, state: 'refused', reason }] }))
  }
}

/** Where an administrator finds it: on the machine. */
export async function noteUnreadable(services: Services, odd: readonly Unreadable[]): Promise<void> {
  const machines = await findMachines(
    services.db,
    odd.map((each) => each.machineCode),
  )
  await noteRefusals(
    services.db,
    odd.map((each) => ({
      machineId: machines.get(each.machineCode)?.id ?? null,
      // Names of no machine share one note: whoever makes them up must not fill the table.
      machineCode: machines.has(each.machineCode) ? each.machineCode : '',
      reason: each.reason,
      type: each.type,
      detail: each.detail.slice(0, 2_000),
      at: each.receivedAt,
    })),
  )
}
