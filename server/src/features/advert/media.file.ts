import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MediaKind, MOST_CREATIVE_PICTURE_BYTES } from '@aisle/contract/advert/creative'
import { LONGEST_SIDE } from '@aisle/contract/system/picture'
import { advertSeconds } from '@aisle/contract/system/settings'
import type { CommandContext, Services } from '../../kernel/context'
import { inTurn } from '../../kernel/files/apart'
import { drawAs, type Drawn, pictureIn } from '../../kernel/files/drawAnew'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { videoOf } from './media.rules'
import { sentBytes, type Upload } from './upload.commands'

const PREVIEW_SIDE = 320

export type Media = {
  media: MediaKind
  sha256: string
  bytes: number
  width: number
  height: number
  /** Of a video, which is as long as it is. */
  seconds: number | null
  preview: string | null
}

/**
 * What was sent, by its content: a picture is drawn anew and nothing else of its file is kept, a video stays as it is.
 * Kept under the hash of what machines will fetch.
 * @throws Refusal creative.notMedia, creative.broken, creative.noLength, creative.tooLong, creative.tooLarge, picture.…
 */
export async function keepMedia(ctx: CommandContext, upload: Upload): Promise<Media> {
  const folder = await mkdtemp(join(ctx.services.dataDir, 'advert.'))
  try {
    const path = join(folder, 'sent')
    await writeFile(path, sentBytes(ctx.services, upload.id), { mode: 0o600 })
    return await keepFile(ctx, upload, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function keepFile(ctx: CommandContext, upload: Upload, path: string): Promise<Media> {
  const kind = pictureIn(headOf(path)) ?? webpIn(headOf(path))
  if (!kind) return keepVideo(ctx, upload, path)
  if (upload.bytes > MOST_CREATIVE_PICTURE_BYTES)
    refuse('creative.tooLarge', { most: MOST_CREATIVE_PICTURE_BYTES / 1024 / 1024 })
  const file = await readFile(path)
  return inTurn(ctx.actor.userId, async () => {
    const drawn = await drawAs(file, kind, LONGEST_SIDE)
    const preview = await drawAs(drawn.bytes, kind, PREVIEW_SIDE)
    const sha256 = sumOf(drawn.bytes)
    await ctx.services.files.keep('adverts', `${sha256}.${kind}`, drawn.bytes)
    const { width, height, bytes } = drawn
    const address = await keepPreview(ctx.services, preview)
    return { media: kind, sha256, bytes: bytes.length, width, height, seconds: null, preview: address }
  })
}

const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function keepPreview({ files }: Services, { bytes, kind }: Drawn): Promise<string> {
  const name = `${sumOf(bytes)}.${kind}`
  await files.keep('pictures', name, bytes)
  return `/pictures/${name}`
}

function headOf(path: string): Buffer {
  return reading(path, (read) => read(0, 16))
}

/** Drawn anew as a jpg, which every machine shows. */
const webpIn = (head: Buffer): Drawn['kind'] | undefined =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP' ? 'jpg' : undefined

async function keepVideo(ctx: CommandContext, { bytes }: Upload, path: string): Promise<Media> {
  const video = reading(path, (read) => videoOf(read, bytes))
  if (typeof video === 'string') return refuse(`creative.${video}`)
  const most = await settingOf(ctx.tx, advertSeconds, null)
  if (video.seconds > most) refuse('creative.tooLong', { seconds: video.seconds, most })
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  const sha256 = hash.digest('hex')
  // What was sent goes by a job: a command that is refused after this leaves it to be tried again.
  await ctx.services.files.take('adverts', `${sha256}.${video.media}`, path)
  return { ...video, sha256, bytes, preview: null }
}

/** A few bytes at a time, of a file that lies here: not worth waiting for one by one. */
function reading<T>(path: string, work: (read: (at: number, length: number) => Buffer) => T): T {
  const file = openSync(path, 'r')
  try {
    return work((at, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    })
  } finally {
    closeSync(file)
  }
}
