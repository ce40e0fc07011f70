import { randomBytes } from 'node:crypto'
import { isoAt } from '../machine/clock'
import type { Message } from './outbox'

/** One run of a machine's program. Its name is new at each start and never comes from the seeded source. */
export type Boot = { readonly id: string; readonly startedMs: number; seq: number; isAnnounced: boolean }

export const newBoot = (wallMs: number, steadyMs: number): Boot => ({
  id: `${Math.floor(wallMs / 1000).toString(36)}${randomBytes(3).toString('hex')}`,
  startedMs: steadyMs,
  seq: 0,
  isAnnounced: false,
})

type Facts = { code: string; timeZone: string; type: string; data: Record<string, unknown>; offline: boolean }

/** Counts up and names the message after its place, so that no two of a machine are ever called the same. */
export function seal(boot: Boot, wallMs: number, facts: Facts): Message {
  boot.seq += 1
  return numbered(boot, boot.seq, wallMs, facts)
}

/**
 * The last will is written before anything else happened and may never be sent, so it stands outside the count:
 * `seq` 0. Its time is the time of connecting, not of the loss.
 */
export const sealWill = (boot: Boot, wallMs: number, facts: Omit<Facts, 'type' | 'data' | 'offline'>): Message => ({
  ...numbered(boot, 0, wallMs, {
    ...facts,
    type: 'presence',
    data: { online: false, reason: 'connection lost' },
    offline: false,
  }),
  msgId: `${boot.id}-will-${randomBytes(3).toString('hex')}`,
})

const numbered = (boot: Boot, seq: number, wallMs: number, facts: Facts): Message => ({
  v: 1,
  machineId: facts.code,
  msgId: `${boot.id}-${seq}`,
  bootId: boot.id,
  seq,
  occurredAt: isoAt(wallMs, facts.timeZone),
  offline: facts.offline,
  type: facts.type,
  data: facts.data,
})

/** The bytes of one sending. */
export const encodeMessage = (message: Message, wallMs: number, timeZone: string): string =>
  JSON.stringify({ ...message, sentAt: isoAt(wallMs, timeZone) })
