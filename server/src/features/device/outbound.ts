import { type Ack, MAX_ACKS } from '@aisle/contract/device/messages'
import { downTopic } from '@aisle/contract/device/topics'
import type { Services } from '../../kernel/context'
import type { MachineLink } from '../../kernel/machineLink'
import { type Dispatch, takeForSending } from './command.store'
import type { Ingested, Reply } from './ingest'

/** What a committed batch has to say to machines: acknowledgements, answers, commands. */
export function sendDown(link: MachineLink, { replies, dispatches }: Ingested): void {
  for (const [machineCode, acks] of acksByMachine(replies)) {
    for (let i = 0; i < acks.length; i += MAX_ACKS) {
      link.publish(downTopic(machineCode, 'ack'), JSON.stringify({ acks: acks.slice(i, i + MAX_ACKS) }))
    }
  }
  for (const { machineCode, answer } of replies) {
    if (answer) link.publish(downTopic(machineCode, 'answer'), JSON.stringify(answer))
  }
  for (const dispatch of dispatches) link.publish(downTopic(dispatch.machineCode, 'cmd'), commandText(dispatch))
}

/** Sends what waits for these machines (null: for all); `again` also what was sent and never received. */
export async function sendCommands(
  services: Services,
  link: MachineLink,
  machineIds: readonly number[] | null,
  again: boolean,
): Promise<void> {
  const now = services.clock.now()
  const dispatches = await services.db.transaction().execute((tx) => takeForSending(tx, machineIds, again, now))
  sendDown(link, { replies: [], dispatches })
}

function acksByMachine(replies: readonly Reply[]): Map<string, Ack[]> {
  const byMachine = new Map<string, Ack[]>()
  for (const { machineCode, ack } of replies) {
    if (!ack) continue
    const known = byMachine.get(machineCode)
    if (known) known.push(ack)
    if (!known) byMachine.set(machineCode, [ack])
  }
  return byMachine
}

const commandText = ({ id, type, data, expiresAt }: Dispatch) =>
  JSON.stringify({ cmdId: id, type, expiresAt: expiresAt.toISOString(), data })
