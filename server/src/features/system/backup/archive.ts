import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { padding, readTar, tarEnd, type TarEntry, tarHeader } from '../../../kernel/files/tar'
import { Broken } from '../../../kernel/files/zip'

/** What stopped a backup or a restore, in words for who asked for it. */
export class BackupError extends Error {}

/** What a backup says of itself before anything else in it. */
const zAbout = z.object({
  format: z.literal(1),
  product: z.string(),
  madeAt: z.iso.datetime(),
  /** The files of an embedded PostgreSQL, or what pg_dump made of another one. */
  database: z.enum(['files', 'dump']),
  postgres: z.string(),
  /** Such as `linux-x64`: another machine may not read the files of this one. */
  platform: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** The last sealed day of the books before it began: the copy must hold it. */
  sealed: z.object({ day: z.string(), hash: z.string() }).nullable(),
})
export type About = z.output<typeof zAbout>

/** At its end, since the sums are known only once all was read; without it a backup isn't whole. */
const zManifest = z.object({ members: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })) })
type Listed = z.output<typeof zManifest>['members'][number]

const ABOUT = 'about.json'
const MANIFEST = 'manifest.json'
/** Of gzip: a third of the time of its own default, for a tenth more bytes. */
const LEVEL = 3

export type Member = TarEntry & { content: AsyncIterable<Buffer> }

export const memberOf = (name: string, bytes: Buffer): Member => ({
  name,
  size: bytes.length,
  isFolder: false,
  content: Readable.from([bytes]),
})

/** Written beside and put in its place by `finish`: whatever bears the name of a backup is whole. */
export const partOf = (file: string): string => `${file}.part`

export async function writeArchive(file: string, about: About, members: AsyncIterable<Member>): Promise<void> {
  const gzip = createGzip({ level: LEVEL })
  await pipeline(packed(about, members), gzip, createWriteStream(partOf(file), { mode: 0o600, flush: true }))
}

export async function finish(file: string, name: string): Promise<void> {
  await rename(partOf(file), name)
  // The name, too, is on the disk before anybody is told. Windows can't open a folder, and does without.
  const folder = await open(dirname(name), 'r').catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

async function* packed(about: About, members: AsyncIterable<Member>): AsyncGenerator<Buffer> {
  const listed: Listed[] = []
  yield* entry(memberOf(ABOUT, json(about)), listed)
  for await (const member of members) yield* entry(member, listed)
  yield* entry(memberOf(MANIFEST, json({ members: listed })), [])
  yield tarEnd()
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

async function* entry(member: Member, listed: Listed[]): AsyncGenerator<Buffer> {
  yield tarHeader(member)
  if (member.isFolder) return
  const hash = createHash('sha256')
  for await (const piece of member.content) {
    hash.update(piece)
    yield piece
  }
  yield padding(member.size)
  listed.push({ name: member.name, size: member.size, sha256: hash.digest('hex') })
}

export type Taking = {
  /** Before anything else: may refuse. */
  begin?: (about: About) => void
  /** What it doesn't read of a member is read for its sum all the same. */
  take?: (member: TarEntry & { content: AsyncIterable<Buffer> }) => Promise<void>
}

/**
 * Reads all of a backup and holds each byte against its sums.
 * @throws BackupError when it is no backup, was cut off or is damaged; what was taken until then counts for nothing
 */
export async function readArchive(file: string, { begin, take }: Taking = {}): Promise<About> {
  const seen: Listed[] = []
  let about: About | undefined
  let listed: Listed[] | undefined
  try {
    for await (const member of readTar(unpacked(file))) {
      refuseStrange(member.name)
      if (member.isFolder) {
        await take?.(member)
        continue
      }
      if (!about) {
        if (member.name !== ABOUT) throw new Broken()
        const bytes = await allOf(member.content)
        about = zAbout.parse(JSON.parse(bytes.toString()))
        seen.push({ name: ABOUT, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
        begin?.(about)
      } else if (member.name === MANIFEST) {
        listed = zManifest.parse(JSON.parse((await allOf(member.content)).toString())).members
      } else seen.push(await taken(member, take))
    }
  } catch (cause) {
    throw isDamage(cause) ? new BackupError(`${file} is damaged, or no backup of Aisle.`, { cause }) : cause
  }
  if (!about || !listed) throw new BackupError(`${file} is not whole: its end is missing.`)
  const isSame = listed.length === seen.length && listed.every((each, i) => isEqual(each, seen[i]))
  if (!isSame) throw new BackupError(`${file} is damaged: what is in it is not what it says of itself.`)
  return about
}

const isEqual = (a: Listed, b: Listed | undefined) => a.name === b?.name && a.size === b.size && a.sha256 === b.sha256

async function taken(member: TarEntry & { content: AsyncIterable<Buffer> }, take: Taking['take']): Promise<Listed> {
  const hash = createHash('sha256')
  const content = (async function* () {
    for await (const piece of member.content) {
      hash.update(piece)
      yield piece
    }
  })()
  await take?.({ ...member, content })
  for await (const piece of content) void piece
  return { name: member.name, size: member.size, sha256: hash.digest('hex') }
}

async function* unpacked(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.once('error', (cause) => gunzip.destroy(cause))
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>
  } finally {
    source.destroy()
  }
}

async function allOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Nothing is written but below the folder that was asked for. */
function refuseStrange(name: string): void {
  const isBelow = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isBelow || name.includes('\\') || name.includes('\0') || /^[a-z]:/i.test(name)) throw new Broken()
}

/** Not JSON, not of our form, or what zlib says of bytes that are not its own. */
function isDamage(cause: unknown): boolean {
  if (cause instanceof Broken || cause instanceof SyntaxError || cause instanceof z.ZodError) return true
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
}
