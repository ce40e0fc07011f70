import { exportableOf } from '@aisle/contract/exports'
import { mayOpen } from '@aisle/contract/identity/permissions'
import type { Exportable } from '@aisle/contract/kernel/manifest'
import type { Language } from '@aisle/contract/kernel/text'
import { refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'

/** Whoever may not open a list can't have it as a file. @throws Refusal report.unknownList, request.notPermitted */
export function openList({ grants }: { grants: readonly string[] }, name: string): Exportable {
  const exportable = exportableOf(name) ?? refuse('report.unknownList')
  if (!mayOpen(grants, exportable.list.access)) refuse('request.notPermitted')
  return exportable
}

/** The screen whose list it is; empty for one that is gone. */
export const screenOf = (list: string): string => exportableOf(list)?.screen ?? ''

/** A file is called by its screen. */
export const titleOf = (list: string, language: Language): string => word(language, 'screens', screenOf(list) || list)
