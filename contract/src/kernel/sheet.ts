import { z } from 'zod'
import { defineRefusals, fileRefusals } from './refusal'

/** Of rows that people fill in elsewhere: looked at first, each fault told, and then taken. */
export const sheetRefusals = [
  ...defineRefusals('kernel', {
    'sheet.unreadable': 422,
    'sheet.columns': 422,
    'sheet.tooMany': 422,
    'sheet.empty': 422,
    /** Nothing was imported: the faults are in the preview. */
    'sheet.faulty': 422,
  }),
  ...fileRefusals,
] as const

export const MOST_SHEET_ROWS = 5_000
/** In base64 it still fits a call. */
export const LARGEST_SHEET_BYTES = 720_000

/** xlsx or csv, as its first bytes say. */
export const zSheet = z
  .base64()
  .min(4)
  .max(Math.ceil((LARGEST_SHEET_BYTES * 4) / 3))

export const sheetTemplate = z.object({ name: z.string(), dataBase64: z.string() })

/** `row` as the sheet counts, its heading being 1; `message` in the words of the field that the form would show. */
const fault = z.object({ row: z.int(), code: z.string(), column: z.string(), message: z.string() })
export type SheetFault = z.output<typeof fault>

/** The first of its faults; all are counted. */
export const judgedSheet = { rows: z.int(), good: z.int(), faults: z.array(fault), faultCount: z.int() }
