import type { Ack } from '@aisle/contract/device/messages'
import type { Step, Work } from './batch'
import { claim, findTaken, idOf, receiptState } from './message.store'

/** Same id and same content: answered again. Same id and other content: a conflict for a person to see. */
export const identify: Step = async (tx, { work }) => {
  const critical = work.filter((each) => each.message.class === 'critical')
  const first = new Map<string, Work>()
  for (const each of critical) {
    const id = idOf(each.machine.id, each.message.envelope.msgId)
    const twin = first.get(id)
    if (twin) each.ack = ackOfTwin(each, twin.message.hash)
    if (!twin) first.set(id, each)
  }
  const named = [...first.values()].map((each) => ({ machineId: each.machine.id, message: each.message }))
  const claimed = await claim(tx, named)
  const known = await findTaken(
    tx,
    named.filter((each) => !claimed.has(idOf(each.machineId, each.message.envelope.msgId))),
  )
  for (const [id, each] of first) {
    const before = known.get(id)
    if (!before) continue
    each.ack = before.content_hash.equals(each.message.hash)
      ? {
          msgId: before.msg_id,
          state: receiptState.is(before.state, 'refused') ? 'refused' : 'duplicate',
          ...reasonOf(before.reason),
        }
      : conflict(each)
  }
}

const reasonOf = (reason: string | null) => (reason === null ? {} : { reason })
const conflict = (each: Work): Ack => ({
  msgId: each.message.envelope.msgId,
  state: 'conflict',
  reason: 'sameIdOtherContent',
})
const ackOfTwin = (each: Work, hash: Buffer): Ack =>
  hash.equals(each.message.hash) ? { msgId: each.message.envelope.msgId, state: 'duplicate' } : conflict(each)
