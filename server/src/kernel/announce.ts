import type { OrderAnswer } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import type { Reader } from './context'

/**
 * What other processes and browsers hear once the transaction has committed. Frames say that something changed and
 * where; they never carry rows, so nobody learns what they may not see. PostgreSQL takes at most 8,000 bytes.
 */
export type Announcement =
  | { topic: 'sales'; machineIds: number[]; merchantIds: number[]; newest: SaleNotice[] }
  | { topic: 'orders' | 'machines'; machineIds: number[] }
  /** Machines came, or others see them now: what each listener sees is read again, and then its lists of machines. */
  | { topic: 'sight' }
  /** `tokenHash` in hex. */
  | { topic: 'session'; tokenHash: string; code: 'B1000' | 'S9999' }
  /** Commands wait for these machines: gateways send them. */
  | { topic: 'commands'; machineIds: number[] }
  /** Machines answered commands, or commands ended without an answer: for those who look on. */
  | { topic: 'answers'; machineIds: number[] }
  /** For the machine, by whichever gateway has it; browsers never hear of it. Lost where none has. */
  | { topic: 'tell'; machineCode: string; answer: OrderAnswer }
  /** A machine's secret was made anew: what signed in with the old one goes. */
  | { topic: 'secrets'; machineCode: string }
  /** Something was noted for programs of others (docs/decisions/0072), as triggers say, or waits before a webhook. */
  | { topic: 'events'; webhookId?: number }
  | { topic: 'boards'; reason: 'asked' }
  /** Somebody's messages changed: the bell of each is read again. None named: anybody's. */
  | { topic: 'messages'; userIds: number[] }
  /** What these users may do changed, or what their menus show: who they are is read again. None named: anybody's. */
  | { topic: 'rights'; userIds: number[] }
  /**
   * People's writes: kinds of audited objects, whose they are, and the merchants above those. No kind: anything.
   * `everyone`: it holds for all who are signed in, as words and settings do.
   */
  | { topic: 'changes'; kinds: string[]; merchantIds: number[]; above: number[]; everyone?: true }

/** The last sales of a batch, for the wallboard's map. */
export type SaleNotice = { machineId: number; productId: number; amountFen: number; at: string }

/** Everything announced by any process, in the order of its commits; made by the composition root. */
export type Bus = {
  /** @returns how to stop listening */
  hear: (listener: (announcement: Announcement) => void) => () => void
}

export const LIVE_CHANNEL = 'aisle_live'
const MAX_PAYLOAD = 7_900

export async function announce(db: Reader, announcement: Announcement): Promise<void> {
  const payload = JSON.stringify(announcement)
  const fits = Buffer.byteLength(payload) <= MAX_PAYLOAD ? payload : JSON.stringify(shortened(announcement))
  await sql`select pg_notify(${LIVE_CHANNEL}, ${fits})`.execute(db)
}

/** No machine ids means "any machine": everybody who listens looks again. */
function shortened(announcement: Announcement): Announcement {
  if (announcement.topic === 'messages' || announcement.topic === 'rights') return { ...announcement, userIds: [] }
  if (announcement.topic === 'changes') return { ...announcement, kinds: [], merchantIds: [], above: [] }
  if (!('machineIds' in announcement)) return announcement
  const short = { ...announcement, machineIds: [] }
  return short.topic === 'sales' ? { ...short, merchantIds: [], newest: short.newest.slice(0, 20) } : short
}
