import type { importMachines, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { SheetFault } from '@aisle/contract/kernel/sheet'
import { announce } from '../../../kernel/announce'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { refusal, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { readSheet } from '../../../kernel/sheet/sheet.form'
import { judgeRows } from '../../../kernel/sheet/sheet.judge'
import { findImportWorld } from './import.reads'
import { type Good, judgeRow, machineSheet } from './import.rules'
import { showAdded } from '../machine/machine.edit.commands'
import { insertMachines, makeSecret } from '../machine/machine.store'

const MOST_SAMPLED = 8

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
  if (faultCount > 0) refuse('sheet.faulty', { count: faultCount }, faults.slice(0, 20).map(asProblem))
  const made = good.map((machine) => ({ ...machine, ...makeSecret() }))
  const ids = await refusedBy('machine_code_key', insertMachines(ctx.tx, made, ctx.now()), () =>
    refusal('sheet.faulty', { count: 1 }),
  )
  const machineIds = [...ids.values()]
  await showAdded(ctx, machineIds)
  for (const [merchantId, codes] of codesByMerchant(good)) {
    const after = { imported: codes.length, codes: codes.slice(0, 200) }
    await ctx.audit({ merchantId, objectKind: 'machine', objectId: 'import', before: null, after })
  }
  await announce(ctx.tx, { topic: 'sight' })
  return { machines: made.map(({ code, secret }) => ({ code, secret })) }
}

async function judge(ctx: QueryContext, file: string) {
  const rows = await readSheet(machineSheet, file, { userId: ctx.actor.userId, language: ctx.language })
  const world = await findImportWorld(ctx.db, sightOf(ctx.actor), rows)
  const codes = new Set<string>()
  return judgeRows(machineSheet, ctx.language, rows, (cells) => judgeRow(cells, world, codes))
}

const asProblem = ({ row, column, message }: SheetFault) => ({
  path: `rows.${row}.${column}`,
  reason: 'invalid',
  msg: `${row}: ${message}`,
})

function codesByMerchant(good: readonly Good[]): Map<number, string[]> {
  const grouped = new Map<number, string[]>()
  for (const { merchantId, code } of good) {
    const codes = grouped.get(merchantId) ?? []
    codes.push(code)
    grouped.set(merchantId, codes)
  }
  return grouped
}
