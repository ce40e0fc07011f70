import { getImportTemplate, importMachines, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import { command, query, type Route } from '../../../kernel/route'
import { templateOf } from '../../../kernel/sheet/sheet.form'
import { importAll, preview } from './import.commands'
import { machineSheet } from './import.rules'

export const routes: Route[] = [
  query(getImportTemplate, (ctx) => templateOf(machineSheet, ctx.language)),
  query(previewMachineImport, preview),
  command(importMachines, importAll, 'nothing'),
]
