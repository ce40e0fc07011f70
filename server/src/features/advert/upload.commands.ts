import { type beginUpload, type sendPart, UPLOAD_PART_BYTES } from '@aisle/contract/advert/creative'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { advertMegabytes } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, QueryContext, Services, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'

const MEGABYTE = 1024 * 1024
/** Of one person at a time. */
const MOST_UPLOADS = 5
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** Each part is a file, so that it does not matter which of many servers it came to. */
const partsOf = (id: number): string => `upload-${id}-`
/** As long as the longest, so that names go by their place. */
const partName = (id: number, at: number): string => `${partsOf(id)}${String(at).padStart(12, '0')}`

export async function begin(ctx: CommandContext, { bytes }: InputOf<typeof beginUpload>): Promise<{ id: number }> {
  const megabytes = await settingOf(ctx.tx, advertMegabytes, null)
  if (bytes > megabytes * MEGABYTE) refuse('creative.tooLarge', { most: megabytes })
  const { userId, merchantId } = ctx.actor
  const own = await sql`select from advert_upload where user_id = ${userId}`.execute(ctx.tx)
  if (own.rows.length >= MOST_UPLOADS) await forgetOldest(ctx, userId)
  const made = await sql<{ id: number }>`insert into advert_upload (merchant_id, user_id, bytes, begun_at)
    values (${merchantId}, ${userId}, ${bytes}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await ctx.audit({ merchantId, objectKind: 'advertUpload', objectId: id, before: null, after: { bytes } })
  return { id }
}

/** Whoever begins again and again has left the others. */
async function forgetOldest(ctx: CommandContext, userId: number): Promise<void> {
  await forget(
    ctx.services,
    ctx.tx,
    sql`user_id = ${userId} and id < (
    select id from advert_upload where user_id = ${userId}
    order by id desc offset ${sql.lit(MOST_UPLOADS - 2)} limit 1)`,
  )
}

export type Upload = { id: number; bytes: number; received: number }

/** One's own, locked. */
export async function holdUpload(tx: Tx, id: number, userId: number): Promise<Upload> {
  const found = await sql<Upload>`select id, bytes, received from advert_upload
    where id = ${id} and user_id = ${userId} for update`.execute(tx)
  return existing(found.rows[0])
}

/**
 * Writes the part where it belongs. It is no command: nobody but its sender knows of the file, and only what was made
 * of it is a fact. The file is written before the row says so, so a part that came twice is written over itself.
 */
export function send(ctx: QueryContext, part: InputOf<typeof sendPart>): Promise<{ received: number }> {
  const { services, actor } = ctx
  const bytes = Buffer.from(part.dataBase64, 'base64')
  return services.db.transaction().execute(async (tx) => {
    const upload = await holdUpload(tx, part.id, actor.userId)
    const isNext = part.at === upload.received && bytes.length > 0 && bytes.length <= UPLOAD_PART_BYTES
    if (!isNext) return { received: upload.received }
    const received = upload.received + bytes.length
    if (received > upload.bytes) return refuse('creative.tooLarge', { most: Math.ceil(upload.bytes / MEGABYTE) })
    await services.files.keep('adverts', partName(part.id, part.at), bytes)
    await sql`update advert_upload set received = ${received} where id = ${part.id}`.execute(tx)
    return { received }
  })
}

/** All that was sent, as one. */
export async function* sentBytes({ files }: Services, id: number): AsyncGenerator<Buffer> {
  for (const name of (await files.list('adverts', partsOf(id))).sort()) {
    for await (const piece of await files.read('adverts', name)) yield piece as Buffer
  }
}

/** What nobody went on with, and files of what has become something else since. */
export async function forgetOld(services: Services): Promise<void> {
  const { db, clock } = services
  const before = new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS)
  await db.transaction().execute((tx) => forget(services, tx, sql`begun_at < ${before}`))
  const names = await services.files.list('adverts', 'upload-')
  const left = new Set(names.map((name) => Number(/^upload-(\d+)/.exec(name)?.[1] ?? 0)))
  const kept = await sql<{ id: number }>`select id from advert_upload
    where id = any(${[...left]}::bigint[])`.execute(db)
  for (const { id } of kept.rows) left.delete(id)
  for (const id of left) await removeParts(services, id)
}

async function forget(services: Services, tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  const gone = await sql<{ id: number }>`delete from advert_upload where ${which} returning id`.execute(tx)
  for (const { id } of gone.rows) await removeParts(services, id)
}

async function removeParts({ files }: Services, id: number): Promise<void> {
  for (const name of await files.list('adverts', partsOf(id))) await files.remove('adverts', name)
}
