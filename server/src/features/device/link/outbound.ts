import { type Ack, type Answer, MAX_ACKS } from '@aisle/contract/device/messages'
import { downTopic } from '@aisle/contract/device/topics'
import type { Services } from '../../../kernel/context'
import type { MachineLink } from '../../../kernel/machineLink'
import { type Dispatch, takeForSending } from '../command/command.store'
import type { Reply } from './batch'
import type { Ingested } from './ingest'
import { tellSettings } from '../sale/owed.commands'

/** What a committed batch has to say to machines: acknowledgements, answers, commands. */
export function sendDown(link: MachineLink, { replies, dispatches }: Ingested): void {
  for (const [machineCode, acks] of acksByMachine(replies)) {
    for (let i = 0; i < acks.length; i += MAX_ACKS) {
      link.publish(downTopic(machineCode, 'ack'), JSON.stringify({ acks: acks.slice(i, i + MAX_ACKS) }))
    }
  }
  for (const { machineCode, answer } of replies) if (answer) tellMachine(link, machineCode, answer)
  for (const dispatch of dispatches) link.publish(downTopic(dispatch.machineCode, 'cmd'), commandText(dispatch))
}

export const tellMachine = (link: MachineLink, machineCode: string, answer: Answer): void =>
  link.publish(downTopic(machineCode, 'answer'), JSON.stringify(answer))

/**
 * Sends what waits for these machines; `again`, when they have come back, also what was sent and never received, and
 * what they do not go by yet.
 */
export async function sendCommands(
  services: Services,
  link: MachineLink,
  machineIds: readonly number[],
  again: boolean,
): Promise<void> {
  const now = services.clock.now()
  const dispatches = await services.db.transaction().execute(async (tx) => {
    if (again) await tellSettings(tx, machineIds, now)
    return takeForSending(tx, machineIds, again, now)
  })
  sendDown(link, { replies: [], dispatches })
}

/** A batch to thousands goes out in portions: machines answer at once, and the broker has customers to serve, too. */
const PORTION = 200
const PAUSE_MS = 250

/** Commands to so many machines go out at once; to more of them, or to nobody knows whom, portion by portion. */
const FEW = 100

export type Sender = { send: (machineIds: readonly number[]) => void; stop: () => Promise<void> }

/** Sends what waits for those that are named; of portions one is under way at a time, and then it looks once more. */
export function startSender(services: Services, link: MachineLink): Sender {
  const failed = (error: unknown) => services.log.error({ error }, 'commands not sent')
  let isAsked = false
  let isStopped = false
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    while (isAsked && !isStopped) {
      isAsked = false
      const now = services.clock.now()
      const dispatches = await services.db.transaction().execute((tx) => takeForSending(tx, null, false, now, PORTION))
      sendDown(link, { replies: [], dispatches })
      if (dispatches.length < PORTION) continue
      isAsked = true
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  function ask(): void {
    isAsked = true
    running ??= run()
      .catch(failed)
      .finally(() => {
        running = null
        // Asked in the moment in which it ended.
        if (isAsked && !isStopped) ask()
      })
  }

  return {
    send: (machineIds) => {
      if (machineIds.length === 0 || machineIds.length > FEW) return ask()
      void sendCommands(services, link, machineIds, false).catch(failed)
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
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
