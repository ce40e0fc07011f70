import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader } from '../context'
import type { Folder } from './store'

/** Behind its token lies a file of one folder; `name` is what it is saved as. */
export type FileLink = { tokenHash: Buffer; folder: Extract<Folder, 'exports' | 'adverts'>; file: string; name: string }

/** Whoever has a link's token has the file until then (transport/http/files.ts). */
export async function keepLinks(db: Reader, links: readonly FileLink[], expiresAt: Date): Promise<void> {
  await sql`insert into file_link (token_hash, folder, file, name, expires_at)
    select distinct on (token_hash) token_hash, folder, file, name, ${expiresAt}::timestamptz
    from ${rows('l', links, { tokenHash: 'bytea', folder: 'text', file: 'text', name: 'text' })}
    on conflict (token_hash) do update
      set expires_at = greatest(file_link.expires_at, excluded.expires_at)`.execute(db)
}

/** A download that was broken off goes on under them for a while. */
export async function forgetLinks(db: Reader, now: Date): Promise<void> {
  await sql`delete from file_link where expires_at < ${now}::timestamptz - interval '1 hour'`.execute(db)
}
