import {
  customerState,
  type CustomerEvidence,
  type CustomerHeld,
  type CustomerKind,
  type CustomerState,
} from '@aisle/contract/support/customer'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'

/** @throws Refusal customer.state */
export const cases = stateful('customerCase', 'state', customerState, {
  versioned: true,
  refuse: ({ id }) => refuse('customer.state', { id }),
})
export type Verb = keyof typeof customerState.moves

export type Held = {
  id: number
  merchantId: number
  machineId: number
  kind: CustomerKind
  amountFen: number
  happenedAt: Date
  goods: string
  phoneHash: Buffer | null
  state: CustomerState
  orderId: number | null
  assigneeId: number | null
  held: CustomerHeld | null
  createdAt: Date
}

/** Locked. */
export async function lockCases(tx: Tx, which: RawBuilder<unknown>): Promise<Held[]> {
  const found = await sql<Held>`select c.id, c.merchant_id as "merchantId", c.machine_id as "machineId", c.kind,
      c.amount_fen as "amountFen", c.happened_at as "happenedAt", c.goods, c.phone_hash as "phoneHash", c.state,
      c.order_id as "orderId", c.assignee_id as "assigneeId", c.held, c.created_at as "createdAt"
    from customer_case c where ${which} order by c.id for update`.execute(tx)
  return found.rows
}

/** @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(ctx: CommandContext, id: number, verb: Verb | null): Promise<Held> {
  const mine = sql`c.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`c.machine_id`)}`
  const held = existing((await lockCases(ctx.tx, mine))[0])
  if (verb) cases.must(held, verb)
  return held
}

export type NewCase = {
  merchantId: number
  machineId: number
  tokenHash: Buffer
  kind: CustomerKind
  amountFen: number
  happenedAt: Date
  goods: string
  body: string
  language: Language
  phone: { sealed: Buffer; hash: Buffer; end: string } | null
  picture: string | null
  dueAt: Date
}

export async function insertCase(tx: Tx, made: NewCase, now: Date): Promise<number> {
  const { phone } = made
  const found = await sql<{ id: number }>`insert into customer_case (merchant_id, machine_id, token_hash, kind,
      amount_fen, happened_at, goods, body, language, phone, phone_hash, phone_end, picture, state, due_at, open_since,
      created_at)
    values (${made.merchantId}, ${made.machineId}, ${made.tokenHash}, ${made.kind}, ${made.amountFen},
      ${made.happenedAt}, ${made.goods}, ${made.body}, ${made.language}, ${phone?.sealed ?? null},
      ${phone?.hash ?? null}, ${phone?.end ?? ''}, ${made.picture}, ${customerState.initial}, ${made.dueAt}, ${now},
      ${now})
    returning id`.execute(tx)
  return only(found).id
}

export async function isKnown(db: Reader, tokenHash: Buffer): Promise<boolean> {
  const found = await sql`select 1 from customer_case where token_hash = ${tokenHash}`.execute(db)
  return found.rows.length > 0
}

/** Cases before this time, of the number since one time and at the machine since another. Both have their index. */
export async function countCases(
  db: Reader,
  { id, machineId, phoneHash }: Pick<Held, 'id' | 'machineId' | 'phoneHash'>,
  since: { ofPhone: Date; atMachine: Date },
): Promise<{ ofPhone: number; atMachine: number }> {
  const counted = await sql<{ ofPhone: number; atMachine: number }>`select
      (select count(*)::int from customer_case where phone_hash = ${phoneHash} and created_at > ${since.ofPhone}
        and id < ${id}) as "ofPhone",
      (select count(*)::int from customer_case where machine_id = ${machineId} and created_at > ${since.atMachine}
        and id < ${id}) as "atMachine"`.execute(db)
  return only(counted)
}

/** The same judgement again changes nothing, so that nobody's answer meets another version. */
export async function keepJudgement(
  tx: Tx,
  id: number,
  judged: {
    orderId: number | null
    sureness: number | null
    evidence: readonly CustomerEvidence[]
    held: CustomerHeld | null
  },
): Promise<void> {
  const { orderId, sureness, evidence, held } = judged
  await sql`update customer_case set order_id = ${orderId}, sureness = ${sureness}, evidence = ${[...evidence]}::text[],
    held = ${held}, version = version + 1
    where id = ${id} and (order_id, sureness, evidence, held)
      is distinct from (${orderId}::bigint, ${sureness}::int, ${[...evidence]}::text[], ${held}::text)`.execute(tx)
}

export async function say(
  tx: Tx,
  caseId: number,
  word: { userId: number | null; body: string; at: Date },
): Promise<void> {
  await sql`insert into customer_word (case_id, user_id, body, at)
    values (${caseId}, ${word.userId}, ${word.body}, ${word.at})`.execute(tx)
}

/** What customers and the rule did: lists that are open in a browser are read again, as after a person's write. */
export async function announceCases(tx: Tx, merchantIds: readonly number[]): Promise<void> {
  const ids = [...new Set(merchantIds)]
  if (ids.length === 0) return
  const found = await sql<{ above: number[] | null }>`select json_agg(distinct one.above) as above
    from merchant, unnest(path) as one(above) where merchant.id = any(${ids}::bigint[])`.execute(tx)
  const above = found.rows[0]?.above ?? []
  await announce(tx, { topic: 'changes', kinds: ['customerCase'], merchantIds: ids, above })
}

/** Until the transaction ends what is said at this machine, and then of this number, waits: counts and claims hold. */
export async function inTurnAt(tx: Tx, machineId: number, phoneHash: Buffer | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('support.customer.machine'), ${machineId}::int)`.execute(tx)
  if (!phoneHash) return
  await sql`select pg_advisory_xact_lock(hashtext('support.customer.phone'), ${phoneHash.readInt32BE(0)}::int)`.execute(
    tx,
  )
}
