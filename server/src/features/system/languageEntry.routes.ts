import {
  exportLanguageEntries,
  getLanguageEntry,
  getTextOverrides,
  importLanguageEntries,
  listLanguageEntries,
  overrideText,
  previewLanguageImport,
  resetText,
} from '@aisle/contract/system/languageEntry'
import { existing } from '../../kernel/refuse'
import { command, listOf, open, query, type Route } from '../../kernel/route'
import { platformOnly, platformRow } from '../../kernel/scope'
import { importRows, judge, override, reset } from './languageEntry.commands'
import { filtered, findEntry, listingOf, overridesFor } from './languageEntry.reads'

export const routes: Route[] = [
  ...listOf(listLanguageEntries, (ctx, input) => {
    platformOnly(ctx)
    return listingOf(input)
  }),
  query(getLanguageEntry, async (ctx, { id }) => {
    platformRow(ctx)
    return existing(await findEntry(ctx.db, id))
  }),
  command(overrideText, override),
  command(resetText, reset),
  query(exportLanguageEntries, async (ctx, input) => {
    platformOnly(ctx)
    return { items: await filtered(ctx.db, input) }
  }),
  query(previewLanguageImport, (ctx, { rows }) => judge(ctx, rows)),
  command(importLanguageEntries, importRows),
  open(getTextOverrides, overridesFor),
]
