import { basename, extname } from 'node:path'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../kernel/context'
import type { Folder } from '../../kernel/files/store'
import { refusal } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'
import { callHeaders } from './headers'
import { partOf } from './range.rules'

/** A download that was broken off goes on under its address for so long. */
const GOES_ON_MS = 15 * 60_000

const types: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.csv': 'text/csv; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
}

/**
 * Files behind an address that was given to one person for a minute, or to machines for as long as their command lives;
 * the address is all they need.
 */
export function serveFileLinks(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { token: string } }>('/files/:token', async (request, reply) => {
    const { range } = request.headers
    const found = await sql<{ folder: Folder; file: string; name: string; isFresh: boolean }>`
      select folder, file, name, expires_at > ${services.clock.now()} as "isFresh" from file_link
      where token_hash = ${hashToken(request.params.token)}
        and expires_at > ${new Date(services.clock.now().getTime() - GOES_ON_MS)}`.execute(services.db)
    const link = found.rows[0]
    const isBegun = range !== undefined && !/^bytes=0?-/.test(range)
    if (!link || !(link.isFresh || isBegun)) throw refusal('request.notFound')
    const file = basename(link.file)
    const size = await services.files.sizeOf(link.folder, file)
    if (size === undefined) throw refusal('request.notFound')
    const part = partOf(range, size)
    if (part === 'outside') return reply.code(416).header('content-range', `bytes */${size}`).send()
    reply.headers({
      ...callHeaders,
      'content-type': types[extname(link.file)] ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      // What lies under a name never changes: bytes that were had are those of the rest.
      etag: `"${file}-${size}"`,
      'content-length': part ? part.to - part.from + 1 : size,
      ...(part ? { 'content-range': `bytes ${part.from}-${part.to}/${size}` } : {}),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(link.name)}`,
    })
    return reply.code(part ? 206 : 200).send(await services.files.read(link.folder, file, part ?? undefined))
  })
}
