import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { answers } from '../../kernel/must'
import { findAsked } from './asked.store'
import { codeRefusal, leftOf } from './code.rules'
import { findCodes } from './hold.store'
import { keepRefusals } from './refusal.store'

type Ask = { machine: { id: number }; code: string }

export type CheckedCode =
  | { refused: MessageRefusal }
  | { refused: null; content: { product: string; pieces: number }[]; pickupsLeft: number; expiresAt: Date }

/**
 * What codes give at the machines that ask: pieces by the codes of products, and pick-ups with the one under way.
 * Nothing is held by asking; a code that nobody gave out counts as a guess, as it does in an order.
 */
export async function checkCodes<A extends Ask>(
  tx: Tx,
  asks: readonly A[],
  circumstances: { keys: AuthKeys; now: Date },
): Promise<Map<A, CheckedCode>> {
  if (asks.length === 0) return new Map()
  const { known, refused } = await findAsked(tx, asks, circumstances)
  const codes = await findCodes(
    tx,
    known.map(({ ask, codeId }) => ({ codeId, machineId: ask.machine.id })),
  )
  const found = new Map(known.map(({ ask, codeId }) => [ask, codes.get(`${codeId}/${ask.machine.id}`)]))
  await keepRefusals(
    tx,
    known.flatMap(({ ask, codeId }) => {
      const code = found.get(ask)
      const reason = code && codeRefusal(code, circumstances.now)
      return reason ? [{ codeId, machineId: ask.machine.id, orderNo: '', reason }] : []
    }),
    circumstances.now,
  )
  const names = await findProducts(tx, [...new Set([...codes.values()].flatMap(({ content }) => content))])
  return answers(asks, (ask): CheckedCode => {
    const code = found.get(ask)
    const reason = refused.get(ask) ?? (code ? codeRefusal(code, circumstances.now) : 'codeUnknown')
    if (reason || !code) return { refused: reason ?? 'codeUnknown' }
    const { pieces, pickupsLeft } = leftOf(code)
    const content = [...pieces].map(([id, count]) => ({ product: names.get(id) ?? '', pieces: count }))
    return { refused: null, content, pickupsLeft, expiresAt: code.expiresAt }
  })
}

async function findProducts(db: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: number; code: string }>`
    select id, code from product where id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(found.rows.map(({ id, code }) => [id, code]))
}
