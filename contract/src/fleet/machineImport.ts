import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals, fileRefusals } from '../kernel/refusal'

export const importRefusals = defineRefusals('fleet', {
  'machineImport.unreadable': 422,
  'machineImport.columns': 422,
  'machineImport.tooMany': 422,
  'machineImport.empty': 422,
  /** Nothing was imported: the faults are in the preview. */
  'machineImport.faulty': 422,
})

export const MOST_IMPORTED = 5_000
/** In base64 it still fits a call. */
export const LARGEST_IMPORT_BYTES = 720_000

/** Columns of the sheet, in its order; those without `?` must be filled in every row. */
export const importColumns = [
  'code',
  'name',
  'merchant',
  'point',
  'category',
  'layers',
  'slotsPerLayer',
  'licenceMode?',
  'route?',
  'model?',
  'manufacturer?',
  'hardwareVersion?',
  'manufacturedOn?',
  'warrantyUntil?',
  'temperatureMinC?',
  'temperatureMaxC?',
] as const
export const importNames = importColumns.map((each) => each.replace('?', ''))

/** xlsx or csv, as its first bytes say. */
const file = z
  .base64()
  .min(4)
  .max(Math.ceil((LARGEST_IMPORT_BYTES * 4) / 3))

const fault = z.object({
  /** As the sheet counts: the heading is row 1. */
  row: z.int(),
  code: z.string(),
  column: z.string(),
  /** In the words of the field that the form would show. */
  message: z.string(),
})
export type ImportFault = z.output<typeof fault>

export const getImportTemplate = endpoint({
  name: 'fleet.getImportTemplate',
  method: 'GET',
  path: '/api/machine-imports/template',
  access: 'machine.write',
  input: z.strictObject({}),
  output: z.object({ name: z.string(), dataBase64: z.string() }),
  summary: 'An empty sheet with the columns of the import and what may stand in them, in the language of the caller',
})

export const previewMachineImport = endpoint({
  name: 'fleet.previewMachineImport',
  method: 'POST',
  path: '/api/machine-imports/preview',
  access: 'machine.write',
  input: z.strictObject({ file }),
  output: z.object({
    rows: z.int(),
    good: z.int(),
    slots: z.int(),
    /** The first of them; all are counted. */
    faults: z.array(fault),
    faultCount: z.int(),
    sample: z.array(z.object({ code: z.string(), name: z.string(), merchant: z.string(), point: z.string() })),
  }),
  refusals: [...importRefusals, ...fileRefusals],
  summary: 'What a sheet of machines would add, and what is wrong with which of its rows; nothing has changed',
})

export const importMachines = endpoint({
  name: 'fleet.importMachines',
  method: 'POST',
  path: '/api/machine-imports',
  access: 'machine.write',
  writes: true,
  input: z.strictObject({ file }),
  output: z.object({ machines: z.array(z.object({ code: z.string(), secret: z.string() })) }),
  refusals: [...importRefusals, ...fileRefusals],
  summary: 'Add all machines of a sheet, or none; their secrets are answered once',
})
