import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'

/** Of a database's folder, by its name there: a folder, a file to be read, or what isn't on the disk. */
export type Copied = { name: string; is: 'folder' } | { name: string; path: string } | { name: string; bytes: Buffer }

/** Of no use in a copy, as pg_basebackup has it: of running processes, or made anew at a start. */
const emptied = /^(pg_wal|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
const left = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pgsql_tmp.*|pg_internal\.init.*|.*\.tmp)$/
const CONTROL = 'global/pg_control'

/**
 * The folder of a running PostgreSQL as its online backup has it (manual, "Making a Base Backup Using the Low Level
 * API"): files are read while they are written, and what was written from start to stop is repeated from the log when
 * the copy is started. A slot of this session keeps the log until then.
 * @param client a superuser's; when it ends before all was read, the backup is off
 */
export async function* copyOnline(client: Client, cluster: string): AsyncGenerator<Copied> {
  await client.query(`select pg_create_physical_replication_slot('aisle_backup', true, true)`)
  const started = await client.query<{ lsn: string }>(`select pg_backup_start('aisle', true)::text as lsn`)
  yield* filesIn(cluster, '')
  yield { name: CONTROL, path: join(cluster, CONTROL) }
  const stopped = await client.query<{ lsn: string; labelfile: string; spcmapfile: string }>(
    'select lsn::text, labelfile, spcmapfile from pg_backup_stop(false)',
  )
  const [end] = stopped.rows
  if (!end || end.spcmapfile !== '') throw new Error('the database has tablespaces, which are not backed up')
  yield { name: 'backup_label', bytes: Buffer.from(end.labelfile) }
  const log = await logFiles(client, started.rows[0]?.lsn ?? '', end.lsn)
  for (const name of log) yield { name: `pg_wal/${name}`, path: join(cluster, 'pg_wal', name) }
}

/** The segments of the log between two places in it, both included. */
async function logFiles(client: Client, from: string, to: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select pg_walfile_name('0/0'::pg_lsn + at) as name
     from (select pg_size_bytes(current_setting('wal_segment_size'))::numeric as size) as segment,
       generate_series(div($1::pg_lsn - '0/0'::pg_lsn, size) * size + 1, $2::pg_lsn - '0/0'::pg_lsn, size) as at`,
    [from, to],
  )
  return rows.map(({ name }) => name)
}

async function* filesIn(cluster: string, folder: string): AsyncGenerator<Copied> {
  const entries = await readdir(join(cluster, folder), { withFileTypes: true }).catch(nothingIfGone)
  for (const entry of entries) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (left.test(entry.name) || name === CONTROL) continue
    const isEmptied = folder === '' && emptied.test(entry.name)
    if (entry.isFile()) yield { name, path: join(cluster, name) }
    else if (entry.isDirectory() || isEmptied) {
      yield { name, is: 'folder' }
      if (!isEmptied) yield* filesIn(cluster, name)
    }
  }
}

/** A database or table that was dropped meanwhile. */
function nothingIfGone(cause: unknown): [] {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
  throw cause
}
