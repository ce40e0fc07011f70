import { getMemberTemplate, importMembers, previewMembers } from '@aisle/contract/member/memberImport'
import { command, query, type Route } from '../../../kernel/route'
import { templateOf } from '../../../kernel/sheet/sheet.form'
import { importGood, preview } from './import.commands'
import { memberSheet } from './import.rules'

export const routes: Route[] = [
  query(getMemberTemplate, (ctx) => templateOf(memberSheet, ctx.language)),
  query(previewMembers, preview),
  command(importMembers, importGood),
]
