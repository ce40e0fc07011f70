import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { guessedPrescriptions, judgeGuesses } from '../../kernel/guesses'
import { codeAsTyped } from './code.rules'
import { tieKey, tiesOf } from './fill.store'

/**
 * Codes of prescriptions are counted like those of pick-ups: what nobody wrote, and what was written where the machine
 * has no part in it, is a guess. @returns for each ask whether the machine has guessed too often to be told anything
 */
export async function countPrescriptionGuesses(
  tx: Tx,
  asks: readonly { machineId: number; code: string }[],
  now: Date,
): Promise<boolean[]> {
  if (asks.length === 0) return []
  const codes = asks.map(({ code }) => codeAsTyped(code))
  const found = await sql<{ id: number; code: string }>`select id, code from prescription
    where code = any(${codes}::text[])`.execute(tx)
  const ids = new Map(found.rows.map(({ id, code }) => [code, id]))
  const meant = asks.map(({ machineId }, i) => ({ machineId, prescriptionId: ids.get(codes[i] ?? '') ?? null }))
  const ties = await tiesOf(
    tx,
    meant.flatMap(({ machineId, prescriptionId }) => (prescriptionId ? [{ machineId, prescriptionId }] : [])),
  )
  const asked = meant.map(({ machineId, prescriptionId }) => ({
    machineId,
    isKnown: prescriptionId !== null && ties.has(tieKey(machineId, prescriptionId)),
  }))
  const verdicts = await judgeGuesses(tx, guessedPrescriptions, asked, now)
  return verdicts.map((verdict) => verdict === 'blocked')
}
