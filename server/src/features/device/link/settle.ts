import { type Ack, ackState, type MessageRefusal } from '@aisle/contract/device/messages'
import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import type { Outcome } from '../../trade/public'
import { isTaken, type Step, type Work } from './batch'
import type { Incoming } from './decode'
import { markRefused, noteRefusals } from './message.store'

/** What each sender is told, and what an administrator will see. */
export const settle: Step = async (tx, { work, replies }) => {
  const bad: { each: Work; reason: string }[] = []
  for (const each of work) {
    const { outcome, message, machine } = each
    const reason = ackState.is(each.ack?.state, 'conflict')
      ? 'sameIdOtherContent'
      : outcome && !outcome.ok
        ? outcome.reason
        : null
    if (reason) bad.push({ each, reason })
    if (message.class !== 'critical') continue
    const ack = each.ack ?? ackOf(message, outcome)
    replies.push({ machineCode: machine.code, ack })
  }
  const fresh = bad.filter(({ each }) => each.ack === null && each.message.class === 'critical')
  await markRefused(
    tx,
    fresh.map(({ each, reason }) => ({ machineId: each.machine.id, msgId: each.message.envelope.msgId, reason })),
  )
  await noteRefusals(
    tx,
    bad.map(({ each, reason }) => ({
      machineId: each.machine.id,
      machineCode: each.machine.code,
      reason,
      type: each.message.type,
      detail: JSON.stringify(each.message.envelope).slice(0, 2_000),
      at: each.message.receivedAt,
    })),
  )
  await announceMachines(tx, 'machines', work)
  await announceMachines(tx, 'orders', work.filter(isAboutOrder))
}

/** A sale is announced as such; these move an order that is already there, or open one. */
const orderTypes = new Set(['order.request', 'vend.received', 'vend.result'])
const isAboutOrder = (each: Work): boolean => orderTypes.has(each.message.type) && isTaken(each)

async function announceMachines(tx: Tx, topic: 'machines' | 'orders', work: readonly Work[]): Promise<void> {
  const machineIds = [...new Set(work.map((each) => each.machine.id))]
  if (machineIds.length > 0) await announce(tx, { topic, machineIds })
}

function ackOf(message: Incoming, outcome: Outcome | null): Ack {
  const { msgId } = message.envelope
  return outcome && !outcome.ok
    ? { msgId, state: 'refused', reason: outcome.reason satisfies MessageRefusal }
    : { msgId, state: 'processed' }
}
