import {
  addMessageType,
  editMessageType,
  listMessageTypes,
  type MessageType,
  messageTypeState,
  switchTypeOff,
  switchTypeOn,
  unknownVariables,
} from '@aisle/contract/notice/messageType'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { allOf, holds, listRows } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as typeStore from './messageType.store'

export const routes: Route[] = [
  query(listMessageTypes, async (ctx, input) => {
    const rows = sql`select ${typeStore.typeColumns}, name ->> ${ctx.language} as label from message_type`
    const where = allOf([
      input.q && sql`(${holds(sql`code`, input.q)} or ${holds(sql`label`, input.q)})`,
      input.channel && sql`${input.channel} = any(channels)`,
      input.urgency && sql`urgency = ${input.urgency}`,
      input.state && sql`state = ${input.state}`,
    ])
    return listRows<MessageType>(ctx.db, { rows, where, order: { by: sql`code`, type: 'text' } }, input)
  }),
  command(addMessageType, async (ctx, { code, ...words }) => {
    platformOnly(ctx)
    refuseUnknownVariables(words, words.variables)
    const id = (await typeStore.insert(ctx.tx, code, words)) ?? refuse('messageType.codeTaken', { code })
    await audit(ctx, id, null, { code, ...words })
    return { id }
  }),
  command(editMessageType, async (ctx, { id, version, ...words }) => {
    platformOnly(ctx)
    const row = (await typeStore.lock(ctx.tx, id)) ?? refuse('request.notFound')
    refuseStale(ctx, { version }, row, row, words)
    if (row.isRequired && words.urgency === 'canWait') refuse('messageType.required', { code: row.code })
    const isSame = JSON.stringify([...row.variables].sort()) === JSON.stringify([...words.variables].sort())
    if (row.isSystem && !isSame) refuse('messageType.codeFixed', { code: row.code })
    refuseUnknownVariables(words, words.variables)
    const saved = await typeStore.update(ctx.tx, id, words)
    await audit(ctx, id, wordsOf(row), words)
    return { id, version: saved }
  }),
  command(switchTypeOff, (ctx, { id }) => switchType(ctx, id, 'switchOff')),
  command(switchTypeOn, (ctx, { id }) => switchType(ctx, id, 'switchOn')),
]

/** Types are the platform's: to everybody else there is nothing here to change. */
function platformOnly(ctx: QueryContext): void {
  if (sightOf(ctx.actor).kind !== 'all') refuse('request.notFound')
}

async function switchType(ctx: CommandContext, id: number, verb: 'switchOn' | 'switchOff') {
  platformOnly(ctx)
  const row = (await typeStore.lock(ctx.tx, id)) ?? refuse('request.notFound')
  if (row.isRequired) refuse('messageType.required', { code: row.code })
  const state = messageTypeState.to(verb)
  // Switching on what is on changes nothing: the person gets what they asked for.
  await sql`update message_type set is_on = ${state === 'on'}, version = version + 1
    where id = ${id} and is_on <> ${state === 'on'}`.execute(ctx.tx)
  await audit(ctx, id, { code: row.code, state: row.state }, { code: row.code, state })
  return { id, state }
}

function refuseUnknownVariables(words: Parameters<typeof unknownVariables>[0], variables: readonly string[]): void {
  const unknown = unknownVariables(words, variables)
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{{${name}}}`).join(' ')
    refuse('messageType.variable', { names, known: variables.map((name) => `{{${name}}}`).join(' ') || '–' })
  }
}

const wordsOf = ({ name, title, body, channels, urgency, variables, smsTemplate }: typeStore.Words) => ({
  name,
  title,
  body,
  channels,
  urgency,
  variables,
  smsTemplate,
})

const audit = (
  ctx: CommandContext,
  id: number,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
) => ctx.audit({ merchantId: ctx.actor.merchantId, objectKind: 'messageType', objectId: id, before, after })
