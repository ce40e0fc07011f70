import { setImmediate } from 'node:timers/promises'
import type { importMachines, ImportFault, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { announce } from '../../kernel/announce'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refusal, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { findImportWorld } from './import.reads'
import { judgeRows, type Judged } from './import.rules'
import { readSheet } from './import.sheet'
import { showToMaker } from './machine.edit.commands'
import { insertMachines, makeSecret } from './machine.store'

/** More are not read by anybody; their number is said. */
const MOST_FAULTS = 500
const MOST_SAMPLED = 8
const ROWS_AT_ONCE = 25

export async function preview(
  ctx: QueryContext,
  { file }: InputOf<typeof previewMachineImport>,
): Promise<OutputOf<typeof previewMachineImport>> {
  const { good, faults, faultCount, rows } = await judge(ctx, file)
  return {
    rows,
    good: good.length,
    slots: good.reduce((sum, { layers, slotsPerLayer }) => sum + layers * slotsPerLayer, 0),
    faults,
    faultCount,
    sample: good.slice(0, MOST_SAMPLED).map(({ code, name, merchantName, pointName }) => ({
      code,
      name,
      merchant: merchantName,
      point: pointName,
    })),
  }
}

/** The sheet is judged again, since the world may have moved on between the look and the word. */
export async function importAll(
  ctx: CommandContext,
  { file }: InputOf<typeof importMachines>,
): Promise<OutputOf<typeof importMachines>> {
  const { good, faults, faultCount } = await judge(ctx, file)
  if (faultCount > 0) refuse('machineImport.faulty', { count: faultCount }, faults.slice(0, 20).map(asProblem))
  const made = good.map((machine) => ({ ...machine, ...makeSecret() }))
  const ids = await refusedBy('machine_code_key', insertMachines(ctx.tx, made, ctx.now()), () =>
    refusal('machineImport.faulty', { count: 1 }),
  )
  const machineIds = [...ids.values()]
  await showToMaker(ctx, machineIds)
  for (const [merchantId, codes] of codesByMerchant(good)) {
    const after = { imported: codes.length, codes: codes.slice(0, 200) }
    await ctx.audit({ merchantId, objectKind: 'machine', objectId: 'import', before: null, after })
  }
  await announce(ctx.tx, { topic: 'sight' })
  return { machines: made.map(({ code, secret }) => ({ code, secret })) }
}

/** A few rows at a time, so that others are answered between them; of thousands of faults the first are kept. */
async function judge(ctx: QueryContext, file: string): Promise<Judged & { faultCount: number; rows: number }> {
  const rows = await readSheet(file, ctx.actor.userId, ctx.language)
  const world = await findImportWorld(ctx.db, sightOf(ctx.actor), rows)
  const judged = { good: [] as Judged['good'], faults: [] as ImportFault[], faultCount: 0, rows: rows.length }
  const codes = new Set<string>()
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const { good, faults } = judgeRows(rows.slice(at, at + ROWS_AT_ONCE), world, ctx.language, codes)
    judged.good.push(...good)
    judged.faults.push(...faults.slice(0, MOST_FAULTS - judged.faults.length))
    judged.faultCount += faults.length
    await setImmediate()
  }
  return judged
}

const asProblem = ({ row, column, message }: ImportFault) => ({
  path: `rows.${row}.${column}`,
  reason: 'invalid',
  msg: `${row}: ${message}`,
})

function codesByMerchant(good: Judged['good']): Map<number, string[]> {
  const grouped = new Map<number, string[]>()
  for (const { merchantId, code } of good) grouped.set(merchantId, [...(grouped.get(merchantId) ?? []), code])
  return grouped
}
