import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { judgedSheet, sheetRefusals, sheetTemplate, zSheet } from '../kernel/sheet'

/** Columns of the sheet, in its order; what the form asks of a member. */
export const memberColumns = [
  'number',
  'name',
  'phone',
  'birthday',
  'level',
  'unitId',
  'tags',
  'parentName',
  'region',
  'address',
  'consentedBy',
] as const
export type MemberColumn = (typeof memberColumns)[number]

const access = 'member.write' as const
const input = z.strictObject({ merchantId: zId, file: zSheet })

export const getMemberTemplate = endpoint({
  name: 'member.getMemberTemplate',
  method: 'GET',
  path: '/api/member-imports/template',
  access,
  input: z.strictObject({}),
  output: sheetTemplate,
  summary: 'An empty sheet of members with the columns of the import and what may stand in them',
})

export const previewMembers = endpoint({
  name: 'member.previewMembers',
  method: 'POST',
  path: '/api/member-imports/preview',
  access,
  input,
  output: z.object({
    ...judgedSheet,
    /** Of the good ones: nobody has agreed to the keeping of their data yet. */
    consentMissing: z.int(),
  }),
  refusals: ['request.notFound', ...sheetRefusals],
  summary: 'What a sheet of members would add, and what is wrong with which of its rows; nothing has changed',
})

export const importMembers = endpoint({
  name: 'member.importMembers',
  method: 'POST',
  path: '/api/member-imports',
  access,
  writes: true,
  input,
  output: z.object({
    added: z.int(),
    /** Rows with faults, which were left out. */
    left: z.int(),
  }),
  refusals: ['request.notFound', 'member.meanwhile', ...sheetRefusals],
  summary: 'Make the members of the rows that are good, in one transaction, and leave the others out',
})
