import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { judgedSheet, sheetRefusals, sheetTemplate, zSheet } from '../kernel/sheet'

/** Columns of the sheet, in its order. */
export const importColumns = [
  'code',
  'name',
  'merchant',
  'point',
  'category',
  'layers',
  'slotsPerLayer',
  'licenceMode',
  'route',
  'model',
  'manufacturer',
  'hardwareVersion',
  'manufacturedOn',
  'warrantyUntil',
  'temperatureMinC',
  'temperatureMaxC',
] as const
/** Filled in every row. */
export const importNeeded = ['code', 'name', 'merchant', 'point', 'category', 'layers', 'slotsPerLayer'] as const

export const getImportTemplate = endpoint({
  name: 'fleet.getImportTemplate',
  method: 'GET',
  path: '/api/machine-imports/template',
  access: 'machine.write',
  input: z.strictObject({}),
  output: sheetTemplate,
  summary: 'An empty sheet with the columns of the import and what may stand in them, in the language of the caller',
})

export const previewMachineImport = endpoint({
  name: 'fleet.previewMachineImport',
  method: 'POST',
  path: '/api/machine-imports/preview',
  access: 'machine.write',
  input: z.strictObject({ file: zSheet }),
  output: z.object({
    ...judgedSheet,
    slots: z.int(),
    sample: z.array(z.object({ code: z.string(), name: z.string(), merchant: z.string(), point: z.string() })),
  }),
  refusals: sheetRefusals,
  summary: 'What a sheet of machines would add, and what is wrong with which of its rows; nothing has changed',
})

export const importMachines = endpoint({
  name: 'fleet.importMachines',
  method: 'POST',
  path: '/api/machine-imports',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ file: zSheet }),
  output: z.object({ machines: z.array(z.object({ code: z.string(), secret: z.string() })) }),
  refusals: sheetRefusals,
  summary: 'Add all machines of a sheet, or none; their secrets are answered once',
})
