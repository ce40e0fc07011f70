import { CALLS_A_MINUTE, SIGNATURE_LASTS_MS } from '@aisle/contract/events/open'
import type { IntegrationChild } from '@aisle/contract/merchant/integration'
import { sql } from 'kysely'
import type { Reader, Services } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { unseal } from '../../kernel/seal'
import { isFresh, isSignedBy, readSigned, type Said, signedText } from './signature.rules'

/** An interface that may call. `machineId`: of one machine alone. */
export type Caller = { id: number; merchantId: number; machineId: number | null }

type Config = Caller & {
  secret: Buffer
  childClass: IntegrationChild
  interfaceType: string
  hindrance: 'disabled' | 'expired' | 'spent' | null
}

/**
 * Who calls. Signature first, then its age and whether it was used before, then whether the interface may be called.
 * Who has no secret learns nothing of what is wrong beyond that.
 * @param classes of interfaces that may call this
 * @throws Refusal signature.missing, .wrong, .old, .replayed or interface.…
 */
export async function admit(
  { db, keys, clock }: Services,
  said: Said,
  classes: readonly IntegrationChild[],
): Promise<Caller> {
  const now = clock.now()
  const signed = readSigned(said.headers) ?? refuse('signature.missing')
  const config = (await findConfig(db, signed.key, now)) ?? refuse('signature.wrong')
  const secret = unseal(keys, `integration:${config.id}`, config.secret)
  if (!isSignedBy(secret, signedText(said, signed), signed.signature)) refuse('signature.wrong')
  if (!isFresh(signed.atMs, now)) refuse('signature.old')
  if (!(await takeNonce(db, config.id, signed.nonce, now))) refuse('signature.replayed')
  if (!classes.includes(config.childClass)) refuse('interface.otherClass')
  if (config.interfaceType === 'push') refuse('interface.pushOnly')
  // What was accepted may still be looked at when the last use is spent; more is refused where uses are counted.
  if (config.hindrance && config.hindrance !== 'spent') refuse(`interface.${config.hindrance}`)
  return { id: config.id, merchantId: config.merchantId, machineId: config.machineId }
}

async function findConfig(db: Reader, id: number, now: Date): Promise<Config | undefined> {
  const found = await sql<Config>`
    select i.id, i.merchant_id as "merchantId", i.machine_id as "machineId", i.secret, i.child_class as "childClass",
      i.interface_type as "interfaceType", case when i.state = 'disabled' or m.state <> 'active' then 'disabled'
        when i.expires_on < (${now}::timestamptz at time zone m.time_zone)::date then 'expired'
        when i.use_count >= i.max_count then 'spent' end as hindrance
    from integration_config i join merchant m on m.id = i.merchant_id
    where i.id = ${id} and i.secret is not null`.execute(db)
  return found.rows[0]
}

async function takeNonce(db: Reader, configId: number, nonce: string, now: Date): Promise<boolean> {
  const taken = await sql`insert into partner_nonce (config_id, nonce, seen_at) values (${configId}, ${nonce}, ${now})
    on conflict do nothing`.execute(db)
  return taken.numAffectedRows === 1n
}

/** What is left of `most` in the minute after this call, below zero where it is too many, and when the next begins. */
export type Rate = { most: number; left: number; seconds: number }

export async function countCall(db: Reader, configId: number, now: Date): Promise<Rate> {
  const counted = await sql<{ calls: number }>`insert into partner_rate as r (config_id, minute, calls)
    values (${configId}, date_trunc('minute', ${now}::timestamptz), 1)
    on conflict (config_id, minute) do update set calls = r.calls + 1 returning calls`.execute(db)
  const calls = counted.rows[0]?.calls ?? 1
  return { most: CALLS_A_MINUTE, left: CALLS_A_MINUTE - calls, seconds: 60 - now.getUTCSeconds() }
}

/** What can't be accepted any more need not be remembered: twice the time that a signature lasts, for clocks ahead. */
export async function sweepGate({ db, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - 3 * SIGNATURE_LASTS_MS)
  await sql`delete from partner_nonce where seen_at < ${before}`.execute(db)
  await sql`delete from partner_rate where minute < ${before}`.execute(db)
}
