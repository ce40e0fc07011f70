import { getImportTemplate, importMachines, previewMachineImport } from '@aisle/contract/fleet/machineImport'
import { command, query, type Route } from '../../../kernel/route'
import { importAll, preview } from './import.commands'
import { writeTemplate } from './import.sheet'

export const routes: Route[] = [
  query(getImportTemplate, async (ctx) => ({
    name: 'aisle-machines.xlsx',
    dataBase64: Buffer.from(await writeTemplate(ctx.language)).toString('base64'),
  })),
  query(previewMachineImport, preview),
  command(importMachines, importAll, 'nothing'),
]
