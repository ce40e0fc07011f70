import type { MessageData } from '@aisle/contract/device/messages'
import {
  takeFlow,
  markBeats,
  markDisconnected,
  markMeasured,
  markPresences,
  markSeen,
  markSlotFaults,
  markSnapshots,
} from '../../fleet/public'
import { keepLogs, keepPlays } from './chatter'
import type { Step, Work } from './batch'

type Types = {
  [T in 'presence' | 'heartbeat' | 'slot.state' | 'snapshot' | 'log' | 'ad.play']: MessageData<T>
}

const isMeasured = ({ message, outcome }: Work): boolean => message.type === 'temperature' && outcome?.ok !== false

/** What machines say of themselves: the newest of each counts, and nobody waits for an acknowledgement. */
export const takeStates: Step = async (tx, { work, now }) => {
  const of = <T extends keyof Types>(type: T) =>
    work
      .filter((each) => each.message.type === type && each.outcome === null)
      .map((each) => ({ ...each, at: each.message.receivedAt, data: each.message.data as Types[T] }))
  const online = (each: Work) => (each.message.data as MessageData<'presence'>).online
  const alive = work.filter((each) => each.message.type !== 'presence' || online(each))
  await markSeen(
    tx,
    alive.map((each) => ({
      machineId: each.machine.id,
      at: each.message.receivedAt,
      bootId: each.message.envelope.bootId,
      seq: each.message.envelope.seq,
      skewMs: each.skewMs,
    })),
  )
  const last = new Map(work.map((each) => [each.machine.id, each]))
  const gone = [...last.values()].filter((each) => each.message.type === 'presence' && !online(each))
  await markDisconnected(
    tx,
    gone.map((each) => each.machine.id),
  )
  await markBeats(
    tx,
    of('heartbeat').map(({ machine, at, data }) => ({ machineId: machine.id, at, data })),
  )
  await markMeasured(
    tx,
    work.filter(isMeasured).map(({ machine }) => machine.id),
    now,
  )
  await takeFlow(
    tx,
    of('heartbeat').flatMap(({ machine, at, data: { flowUsedMb: usedMb } }) =>
      usedMb === undefined ? [] : [{ machineId: machine.id, at, usedMb }],
    ),
  )
  await markPresences(
    tx,
    of('presence').map(({ machine, data }) => ({ machineId: machine.id, data })),
  )
  await markSlotFaults(
    tx,
    of('slot.state').map(({ machine, data: { slot: code, status, reason } }) => ({
      machineId: machine.id,
      code,
      fault: status === 'fault' ? (reason ?? 'fault') : null,
    })),
  )
  await markSnapshots(
    tx,
    of('snapshot').map(({ machine, at, data }) => ({ machineId: machine.id, at, data })),
  )
  await keepLogs(tx, of('log'))
  await keepPlays(tx, of('ad.play'))
}
