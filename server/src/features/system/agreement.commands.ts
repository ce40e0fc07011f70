import { agreementState, type createAgreement, type editAgreement } from '@aisle/contract/system/agreement'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { platformOnly, platformRow } from '../../kernel/scope'
import { tellEveryone } from './platform'

type Words = InputOf<typeof createAgreement>
type Row = Words & { id: number; version: number; state: 'draft' | 'published'; number: number | null }

/** One at a time: publishing counts, and two drafts must not take the same number. */
const PUBLISH_LOCK = 4_217_017

export async function create(ctx: CommandContext, words: Words): Promise<{ id: number }> {
  platformOnly(ctx)
  const made = await sql<{ id: number }>`insert into agreement (title_zh, title_en, title_fr, title_ko,
      body_zh, body_en, body_fr, body_ko, created_at, created_by)
    values (${words.titleZh}, ${words.titleEn}, ${words.titleFr}, ${words.titleKo},
      ${words.bodyZh}, ${words.bodyEn}, ${words.bodyFr}, ${words.bodyKo}, ${ctx.now()}, ${ctx.actor.userId})
    returning id`.execute(ctx.tx)
  const { id } = only(made)
  await audit(ctx, { id }, null, words)
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editAgreement>): Promise<{ version: number }> {
  const row = await lock(ctx, input.id)
  if (!agreementState.can(row.state, 'edit')) refuse('agreement.published')
  const { id, version, ...words } = input
  refuseStale(ctx, { version }, row, row, words)
  const made = await sql<{ version: number }>`update agreement set title_zh = ${words.titleZh},
      title_en = ${words.titleEn}, title_fr = ${words.titleFr}, title_ko = ${words.titleKo}, body_zh = ${words.bodyZh},
      body_en = ${words.bodyEn}, body_fr = ${words.bodyFr}, body_ko = ${words.bodyKo}, version = version + 1
    where id = ${id} returning version`.execute(ctx.tx)
  await audit(ctx, { id }, wordsOf(row), words)
  return { version: made.rows[0]?.version ?? 0 }
}

export async function publish(ctx: CommandContext, { id }: { id: number }): Promise<{ number: number }> {
  const row = await lock(ctx, id)
  if (!agreementState.can(row.state, 'publish')) refuse('agreement.published')
  refuseIncomplete(ctx, row)
  await sql`select pg_advisory_xact_lock(${PUBLISH_LOCK})`.execute(ctx.tx)
  const made = await sql<{ number: number | null }>`update agreement set state = ${agreementState.to('publish')},
      number = (select coalesce(max(number), 0) + 1 from agreement), published_at = ${ctx.now()},
      published_by = ${ctx.actor.userId}, version = version + 1
    where id = ${id} returning number`.execute(ctx.tx)
  const number = made.rows[0]?.number ?? 0
  await audit(ctx, { id }, { state: row.state }, { state: agreementState.to('publish'), number })
  await tellEveryone(ctx.tx, 'agreement')
  return { number }
}

/** People are asked in their own language, so every one of them needs its text. */
function refuseIncomplete(ctx: CommandContext, row: Row): void {
  const msg = word(ctx.language, 'kernel', 'field.required')
  const fields = Object.entries(wordsOf(row))
    .filter(([, text]) => text === '')
    .map(([path]) => ({ path, reason: 'required', msg }))
  if (fields.length > 0) refuse('agreement.incomplete', {}, fields)
}

export async function discard(ctx: CommandContext, { id }: { id: number }): Promise<{ id: number }> {
  const row = await lock(ctx, id)
  if (!agreementState.can(row.state, 'edit')) refuse('agreement.published')
  await sql`delete from agreement where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id }, wordsOf(row), null)
  return { id }
}

/** Of the newest version only: who accepts an older one has not read what holds. */
export async function accept(ctx: CommandContext, { id }: { id: number }): Promise<{ acceptedAt: string }> {
  const found = await sql<{ number: number; newest: number }>`
    select number, (select max(number) from agreement) as newest from agreement
    where id = ${id} and number is not null`.execute(ctx.tx)
  const { number, newest } = existing(found.rows[0])
  if (number !== newest) refuse('agreement.superseded')
  await sql`insert into agreement_acceptance (agreement_id, user_id, accepted_at, ip, language)
    values (${id}, ${ctx.actor.userId}, ${ctx.now()}, ${ctx.ip}, ${ctx.language}) on conflict do nothing`.execute(
    ctx.tx,
  )
  const kept = await sql<{ acceptedAt: string }>`select to_json(accepted_at) #>> '{}' as "acceptedAt"
    from agreement_acceptance where agreement_id = ${id} and user_id = ${ctx.actor.userId}`.execute(ctx.tx)
  const acceptedAt = kept.rows[0]?.acceptedAt ?? ctx.now().toISOString()
  await audit(ctx, { id }, null, { acceptedBy: ctx.actor.account, number, language: ctx.language })
  return { acceptedAt }
}

async function lock(ctx: CommandContext, id: number): Promise<Row> {
  platformRow(ctx)
  const found = await sql<Row>`select id, version, state, number,
      title_zh as "titleZh", title_en as "titleEn", title_fr as "titleFr", title_ko as "titleKo",
      body_zh as "bodyZh", body_en as "bodyEn", body_fr as "bodyFr", body_ko as "bodyKo"
    from agreement where id = ${id} for update`.execute(ctx.tx)
  return existing(found.rows[0])
}

const wordsOf = ({ id: _, version: __, state: ___, number: ____, ...words }: Row): Words => words

const audit = auditAs('agreement')
