import { messageTypeState } from '@aisle/contract/notice/messageType'
import * as contract from '@aisle/contract/notice/messageType'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, type Route } from '../../kernel/route'
import { platformRow } from '../../kernel/scope'
import { stateOfType, urgencyOfType } from './messageType.store'

const types = kept(contract.messageType, {
  table: 'messageType',
  facts: (_sight, _now, language) => ({
    label: sql`name ->> ${language}`,
    state: stateOfType,
    isSystem: sql`is_system`,
    isRequired: sql`is_required`,
    version: sql`version`,
  }),
  shown: { urgency: urgencyOfType },
  columns: async (_, { urgency, title, body, variables }, row) => {
    const code = row.code ?? ''
    if (row.isRequired && urgency === 'canWait') refuse('messageType.required', { code })
    if (row.isSystem && wordsOf(variables) !== wordsOf(row.variables ?? [])) refuse('messageType.codeFixed', { code })
    refuseUnknownVariables({ title, body }, variables)
    return { canWait: urgency === 'canWait' }
  },
  search: ['code', 'label'],
  where: { channel: (some) => sql`channels && ${some}::text[]` },
})

export const routes: Route[] = [
  ...listOf(contract.listMessageTypes, types.list),
  command(contract.addMessageType, (ctx, input) => types.add(platformRow(ctx), input)),
  command(contract.editMessageType, (ctx, input) => types.edit(platformRow(ctx), input)),
  command(contract.switchTypeOff, (ctx, { id }) => switchType(platformRow(ctx), id, 'switchOff')),
  command(contract.switchTypeOn, (ctx, { id }) => switchType(platformRow(ctx), id, 'switchOn')),
]

async function switchType(ctx: CommandContext, id: number, verb: 'switchOn' | 'switchOff') {
  const row = await types.load(ctx, id)
  const { code, isOn, isRequired } = row
  if (isRequired) refuse('messageType.required', { code })
  const state = contract.messageTypeState.to(verb)
  // Switching on what is on changes nothing: the person gets what they asked for.
  await sql`update message_type set is_on = ${messageTypeState.is(state, 'on')}, version = version + 1
    where id = ${id} and is_on <> ${messageTypeState.is(state, 'on')}`.execute(ctx.tx)
  await types.audit(ctx, row, { code, state: isOn ? 'on' : 'off' }, { code, state })
  return { id, state }
}

const wordsOf = (variables: readonly string[]) => [...variables].sort().join(' ')

function refuseUnknownVariables(
  words: Parameters<typeof contract.unknownVariables>[0],
  variables: readonly string[],
): void {
  const unknown = contract.unknownVariables(words, variables)
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{{${name}}}`).join(' ')
    refuse('messageType.variable', { names, known: variables.map((name) => `{{${name}}}`).join(' ') || '–' })
  }
}
