import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../kernel/context'
import { refusal } from '../../kernel/refuse'
import { hashToken } from '../../kernel/token'
import { callHeaders } from './headers'

/** Files behind an address that was given to one person for a minute; the address is all they need. */
export function serveFileLinks(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { token: string } }>('/files/:token', async (request, reply) => {
    const found = await sql<{ file: string; name: string }>`select file, name from file_link
      where token_hash = ${hashToken(request.params.token)} and expires_at > ${services.clock.now()}`.execute(
      services.db,
    )
    const link = found.rows[0]
    if (!link) throw refusal('request.notFound')
    const path = join(services.dataDir, 'exports', basename(link.file))
    const { size } = await stat(path)
    const isSheet = link.name.endsWith('.xlsx')
    reply.headers({
      ...callHeaders,
      'content-type': isSheet
        ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
        : 'text/csv; charset=utf-8',
      'content-length': size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(link.name)}`,
    })
    return reply.send(createReadStream(path))
  })
}
