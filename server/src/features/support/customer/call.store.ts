import { sql } from 'kysely'
import type { Reader, Services } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { subnetOf } from '../../identity/public'
import { callerOf } from './code'

/** A ward behind one address is let through, a program is not. */
const MOST = { look: 300, send: 30 } as const
const SPAN_MS = 3600_000

/** Counts a call of the public page by whoever holds the address. @returns whether it is one too many in this hour */
export async function isTooMany({ db, keys, clock }: Services, ip: string, kind: keyof typeof MOST): Promise<boolean> {
  // Of IPv6 a customer holds a whole network, of IPv4 an address.
  const caller = callerOf(keys, ip.includes('.') ? ip : subnetOf(ip))
  const now = clock.now().getTime()
  const since = new Date(now - (now % SPAN_MS))
  const counted = await sql<{ calls: number }>`insert into customer_call as k (caller, kind, since, calls)
    values (${caller}, ${kind}, ${since}, 1)
    on conflict (caller, kind, since) do update set calls = k.calls + 1 returning calls`.execute(db)
  return only(counted).calls > MOST[kind]
}

export async function forgetCalls(db: Reader, now: Date): Promise<void> {
  await sql`delete from customer_call where since < ${new Date(now.getTime() - 24 * SPAN_MS)}`.execute(db)
}
