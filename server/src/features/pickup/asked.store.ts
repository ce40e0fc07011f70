import type { MessageRefusal } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { guessedCodes, judgeGuesses } from '../../kernel/guesses'
import { digestOf } from './secret'

type Asked = { machine: { id: number }; code: string | null }

/**
 * Which codes are meant. What nobody gave out and what another merchant gave out are one and the same: unknown here,
 * counted as a guess, and found to be so by the same statements, so that neither the answer nor its time tells them
 * apart. @returns the known ones, and why the others are refused
 */
export async function findAsked<A extends Asked>(
  tx: Tx,
  asks: readonly A[],
  { keys, now }: { keys: AuthKeys; now: Date },
): Promise<{ known: { ask: A; codeId: number }[]; refused: Map<A, MessageRefusal> }> {
  const digest = digestOf(keys)
  const read = asks.map((ask) => ({ ask, own: digest(ask.code ?? '') }))
  const ids = await findIds(
    tx,
    read.flatMap(({ ask, own }) => (own ? [{ digest: own, machineId: ask.machine.id }] : [])),
  )
  const asked = read.map(({ ask, own }) => {
    const codeId = own ? ids.get(keyOf(own, ask.machine.id)) : undefined
    return { ask, codeId, machineId: ask.machine.id, isKnown: codeId !== undefined }
  })
  const verdicts = await judgeGuesses(tx, guessedCodes, asked, now)
  const refused = new Map<A, MessageRefusal>()
  const known = [...verdicts].flatMap(([{ ask, codeId }, verdict]) => {
    if (verdict === 'known' && codeId !== undefined) return [{ ask, codeId }]
    refused.set(ask, verdict === 'blocked' ? 'codesBlocked' : 'codeUnknown')
    return []
  })
  return { known, refused }
}

const keyOf = (digest: Buffer, machineId: number) => `${machineId}/${digest.toString('hex')}`

/** Of the codes that were asked for, those that the machine's own merchant or one above it gave out. */
async function findIds(
  db: Reader,
  asked: readonly { digest: Buffer; machineId: number }[],
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map()
  const found = await sql<{ id: number; digest: Buffer; machineId: number }>`
    select c.id, c.digest, a.machine_id as "machineId"
    from ${rows('a', asked, { digest: 'bytea', machineId: 'bigint' })}
    join machine m on m.id = a.machine_id join merchant owner on owner.id = m.merchant_id
    join pickup_code c on c.digest = a.digest and c.merchant_id = any(owner.path)`.execute(db)
  return new Map(found.rows.map(({ id, digest, machineId }) => [keyOf(digest, machineId), id]))
}
