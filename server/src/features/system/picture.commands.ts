import { createHash } from 'node:crypto'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { uploadPicture } from '@aisle/contract/system/picture'
import { sql } from 'kysely'
import { inTurn } from '../../kernel/files/apart'
import { drawAnew, type Drawn } from '../../kernel/files/drawAnew'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'

/** More than anybody chooses by hand in an hour; each costs time to draw and room on the disk. */
const MOST_AN_HOUR = 120

/** Kept under the hash of its bytes: the same picture twice is one file, and its address never shows another. */
export async function keepPicture(
  ctx: CommandContext,
  { dataBase64, longestSide }: InputOf<typeof uploadPicture>,
): Promise<{ url: string }> {
  await refuseTooMany(ctx)
  const drawn = await inTurn(ctx.actor.userId, () => drawAnew(Buffer.from(dataBase64, 'base64'), longestSide))
  const name = `${createHash('sha256').update(drawn.bytes).digest('hex')}.${drawn.kind}`
  await ctx.services.files.keep('pictures', name, drawn.bytes)
  await insert(ctx, name, drawn)
  await ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'picture',
    objectId: name,
    before: null,
    after: { bytes: drawn.bytes.length, width: drawn.width, height: drawn.height },
  })
  return { url: `/pictures/${name}` }
}

async function refuseTooMany(ctx: CommandContext): Promise<void> {
  const found = await sql<{ count: number }>`select count(*) as count from picture_upload
    where uploaded_by = ${ctx.actor.userId} and uploaded_at > ${ctx.now()}::timestamptz - interval '1 hour'`.execute(
    ctx.tx,
  )
  if ((found.rows[0]?.count ?? 0) >= MOST_AN_HOUR) refuse('request.slowDown')
}

const insert = (ctx: CommandContext, name: string, { bytes, width, height }: Drawn) =>
  sql`insert into picture_upload (name, merchant_id, uploaded_by, uploaded_at, bytes, width, height)
    values (${name}, ${ctx.actor.merchantId}, ${ctx.actor.userId}, ${ctx.now()}, ${bytes.length}, ${width}, ${height})
  `.execute(ctx.tx)
