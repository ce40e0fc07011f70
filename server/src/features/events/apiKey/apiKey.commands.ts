import { randomBytes, randomInt } from 'node:crypto'
import {
  type addApiKey,
  type editApiKey,
  KEY_PREFIX,
  MOST_API_KEYS,
  MOST_KEY_DAYS,
} from '@aisle/contract/events/apiKey'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { exceedsSight, keptOfProgram, merchantInSight, sightOf } from '../../../kernel/scope'
import { hashToken } from '../../../kernel/token'
import { addProgram } from '../../identity/public'
import { nameOfPermission } from '../../rights/public'
import { mayHaveScope } from './scope.rules'

type Changed = { id: number }
type Row = {
  id: number
  merchantId: number
  name: string
  scopes: string[]
  callsAMinute: number
  expiresOn: string
  isRevoked: boolean
  version: number
}

/** 256 bits; what is kept of them can't call. */
export async function add(ctx: CommandContext, input: InputOf<typeof addApiKey>): Promise<{ id: number; key: string }> {
  const { merchantId, name, ...limits } = input
  await refuseBeyond(ctx, merchantId)
  await refuseLastDay(ctx, merchantId, limits.expiresOn)
  refuseNotYours(ctx, limits.scopes)
  const valid = await sql<{ n: number }>`select count(*)::int as n from api_key
    where merchant_id = ${merchantId} and revoked_at is null and expires_on >= ${ctx.now()}::date - 1`.execute(ctx.tx)
  if (only(valid).n >= MOST_API_KEYS) refuse('apiKey.tooMany', { most: MOST_API_KEYS })
  const prefix = Array.from({ length: 8 }, () => randomInt(36).toString(36)).join('')
  const key = `${KEY_PREFIX}${prefix}_${randomBytes(32).toString('base64url')}`
  const program = { merchantId, account: `key-${prefix}`, name, at: ctx.now() }
  const userId = await addProgram(ctx.tx, program)
  const scopes = [...new Set(limits.scopes)]
  const made = await sql<{ id: number }>`insert into api_key (merchant_id, user_id, name, prefix, key_hash, scopes,
      calls_a_minute, expires_on, answers_by, created_by, created_at)
    values (${merchantId}, ${userId}, ${name}, ${prefix}, ${hashToken(key)}, ${scopes}, ${limits.callsAMinute},
      ${limits.expiresOn}, ${ctx.actor.userId}, ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await audit(ctx, { id, merchantId }, null, { name, ...limits, scopes })
  return { id, key }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editApiKey>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const row = await load(ctx, id)
  const before = { scopes: row.scopes, expiresOn: row.expiresOn, callsAMinute: row.callsAMinute }
  refuseStale(ctx, { version }, row, before, wanted)
  await refuseLastDay(ctx, row.merchantId, wanted.expiresOn)
  refuseNotYours(ctx, wanted.scopes)
  await sql`update api_key set scopes = ${[...new Set(wanted.scopes)]}, expires_on = ${wanted.expiresOn},
      calls_a_minute = ${wanted.callsAMinute}, answers_by = ${ctx.actor.userId}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, before, wanted)
  return { id }
}

export async function takeOver(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  refuseNotYours(ctx, row.scopes)
  await sql`update api_key set answers_by = ${ctx.actor.userId}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, null, { name: row.name, answersBy: ctx.actor.account })
  return { id }
}

export async function revoke(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  await sql`update api_key set revoked_at = ${ctx.now()}, revoked_by = ${ctx.actor.userId}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { name: row.name, state: 'valid' }, { name: row.name, state: 'revoked' })
  return { id }
}

const audit = auditAs('apiKey')

/** A key sees its merchant's whole subtree, also what was authorised to it: nobody has that who sees less. */
async function refuseBeyond(ctx: CommandContext, merchantId: number): Promise<void> {
  const sight = sightOf(ctx.actor)
  const found = await sql<{ seesMore: boolean }>`select ${exceedsSight(sight, keptOfProgram(merchantId))} as "seesMore"
    from merchant where id = ${merchantId} and ${merchantInSight(sight, sql`merchant.id`)}`.execute(ctx.tx)
  const { seesMore } = existing(found.rows[0])
  if (seesMore || sight.kind === 'granted') refuse('apiKey.partSight')
}

async function refuseLastDay(ctx: CommandContext, merchantId: number, day: string): Promise<void> {
  const found = await sql<{ isWithin: boolean }>`select ${day}::date between today and today + ${MOST_KEY_DAYS}::int
      as "isWithin"
    from (select (${ctx.now()}::timestamptz at time zone time_zone)::date as today from merchant
      where id = ${merchantId}) one`.execute(ctx.tx)
  if (!only(found).isWithin) refuse('apiKey.lastDay', { most: MOST_KEY_DAYS })
}

function refuseNotYours(ctx: CommandContext, scopes: readonly string[]): void {
  const strange = scopes.filter((code) => !mayHaveScope(ctx.actor.grants, code))
  const names = strange.map((code) => nameOfPermission(ctx.language, code)).join(', ')
  if (strange.length > 0) refuse('apiKey.notYours', { names })
}

/** To be changed. What is over stays as it was. */
async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`select id, merchant_id as "merchantId", name, scopes, calls_a_minute as "callsAMinute",
      expires_on as "expiresOn", revoked_at is not null as "isRevoked", version
    from api_key where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`api_key.merchant_id`)}
    for update`.execute(ctx.tx)
  const row = existing(found.rows[0])
  await refuseBeyond(ctx, row.merchantId)
  if (row.isRevoked) refuse('apiKey.isRevoked', { name: row.name })
  return row
}
