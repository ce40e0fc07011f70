import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { guessedPrescriptions, judgeGuesses } from '../../kernel/guesses'
import { codeAsTyped } from './code.rules'
import { tieKey, tiesOf } from './fill.store'

/**
 * Codes of prescriptions are counted like those of pick-ups: what nobody wrote, and what was written where the machine
 * has no part in it, is a guess. @returns those whose machine has guessed too often to be told anything
 */
export async function countPrescriptionGuesses<A extends { machineId: number; code: string }>(
  tx: Tx,
  asks: readonly A[],
  now: Date,
): Promise<A[]> {
  if (asks.length === 0) return []
  const typed = asks.map((ask) => ({ ask, machineId: ask.machineId, code: codeAsTyped(ask.code) }))
  const found = await sql<{ id: number; code: string }>`select id, code from prescription
    where code = any(${typed.map(({ code }) => code)}::text[])`.execute(tx)
  const ids = new Map(found.rows.map(({ id, code }) => [code, id]))
  const meant = typed.map(({ code, ...each }) => ({ ...each, prescriptionId: ids.get(code) ?? null }))
  const ties = await tiesOf(
    tx,
    meant.flatMap(({ machineId, prescriptionId }) => (prescriptionId ? [{ machineId, prescriptionId }] : [])),
  )
  const asked = meant.map(({ ask, machineId, prescriptionId }) => ({
    ask,
    machineId,
    isKnown: prescriptionId !== null && ties.has(tieKey(machineId, prescriptionId)),
  }))
  const verdicts = await judgeGuesses(tx, guessedPrescriptions, asked, now)
  return asked.flatMap((each) => (verdicts.get(each) === 'blocked' ? [each.ask] : []))
}
