import { upTopic } from '@aisle/contract/device/topics'
import { type Dispatch, takeForSending } from '../../features/device/command/command.store'
import { decode, type Incoming } from '../../features/device/link/decode'
import { ingest, type Ingested } from '../../features/device/link/ingest'
import type { Past } from './within'

/** Machines that speak: from one start on, each counting what it says. */
export type Voice = { past: Past; boot: string; seqs: Map<string, number> }
export const newVoice = (past: Past, boot: string): Voice => ({ past, boot, seqs: new Map() })

/** As the gateway would have read it. */
export function say(
  { boot, seqs }: Voice,
  machineId: string,
  type: string,
  data: Record<string, unknown>,
  { atMs, receivedMs = atMs + 400 }: { atMs: number; receivedMs?: number | undefined },
): Incoming {
  const seq = (seqs.get(`${machineId}/${boot}`) ?? 0) + 1
  seqs.set(`${machineId}/${boot}`, seq)
  const occurredAt = new Date(atMs).toISOString()
  const times = { occurredAt, sentAt: new Date(receivedMs - 200).toISOString(), offline: receivedMs - atMs > 60_000 }
  const said = { v: 1, machineId, msgId: `${boot}-${seq}`, bootId: boot, seq, type, ...times, data }
  const payload = Buffer.from(JSON.stringify(said))
  const read = decode({ topic: upTopic(machineId, type), payload, sender: machineId }, new Date(receivedMs))
  if (!read.ok) throw new Error(`the demo says ${type} wrongly: ${read.unreadable.detail}`)
  return read.message
}

export const hear = ({ past }: Voice, batch: readonly Incoming[]): Promise<Ingested> =>
  batch.length === 0 ? Promise.resolve({ replies: [], dispatches: [] }) : ingest(past.services, batch)

/** As its motor and its sensor say it. */
export const turned = (ok: boolean) => ({ ok, motorCode: '100', sensorCode: ok ? '01' : '03' })

export type Answer = { state: 'done' | 'failed' | 'refused'; detail?: string; result?: Record<string, unknown> }

/** Machines do what waits for them, and what follows from that, until nothing waits; null is never heard of again. */
export async function obey(
  voice: Voice,
  fromMs: number,
  answer: (asked: Dispatch, nth: number) => Answer | null,
): Promise<void> {
  let nth = 0
  for (let ms = fromMs; ; ms += 6_000) {
    voice.past.at(ms)
    const asked = await takeForSending(voice.past.tx, null, false, new Date(ms))
    if (asked.length === 0) return
    const said = asked.flatMap((each) => {
      const answered = answer(each, nth)
      nth += 1
      const ack = (data: { state: string }, atMs: number) =>
        say(voice, each.machineCode, 'cmd.ack', { cmdId: each.id, ...data }, { atMs })
      return answered ? [ack({ state: 'received' }, ms + 900), ack(answered, ms + 4_800)] : []
    })
    await hear(voice, said)
  }
}
