import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { clearAlarms, type Raised, raiseAlarms } from '../../alarm/public'
import { type DexFault, type DexRead, readDex, soldBetween } from './dex.rules'

export type Audit = {
  machine: { id: number; code: string; merchantId: number }
  msgId: string
  kind: 'interval' | 'fill' | 'collect'
  raw: string
  readAt: Date
  receivedAt: Date
}
type Fault = DexFault | 'wrongMachine'
type Last = { epoch: number; parsed: DexRead; readAt: Date }

/**
 * Keeps audit files as they came, with what they say and whether it is believed. Each is set beside the one that was
 * read before it, whatever has come since: a machine tells of the past after the present.
 */
export async function takeAudits(tx: Tx, audits: readonly Audit[]): Promise<void> {
  if (audits.length === 0) return
  const known = await findBefore(tx, audits)
  const last = new Map<number, Last>()
  const alarms: Raised[] = []
  const reads = [...audits]
    .sort((a, b) => a.readAt.getTime() - b.readAt.getTime())
    .map((audit) => {
      const { machine, readAt } = audit
      const before = later(last.get(machine.id), known.get(keyOf(audit)))
      const found = understood(audit)
      const isNewEpoch = before && isOther(before.parsed, found)
      const epoch = (before?.epoch ?? 1) + (isNewEpoch ? 1 : 0)
      const about = { machineId: machine.id, merchantId: machine.merchantId, at: readAt }
      if (found.fault === 'wrongMachine') {
        const says = found.parsed?.assetNumber ?? ''
        alarms.push({ ...about, cause: 'dex_wrong_machine', facts: { code: machine.code, says } })
      }
      if (isNewEpoch) alarms.push({ ...about, cause: 'counter_reset', facts: { epoch } })
      if (found.parsed && !found.fault) last.set(machine.id, { epoch, parsed: found.parsed, readAt })
      return { ...audit, ...found, epoch, machineId: machine.id, merchantId: machine.merchantId }
    })
  await insertReads(tx, reads)
  await raiseAlarms(tx, alarms)
  // The newest file is of this machine again: whoever had swapped boards or plugs has put them back.
  const ours = new Map(reads.map((read) => [read.machineId, read]))
  await clearAlarms(
    tx,
    [...ours.values()].flatMap(({ machineId, parsed, fault, receivedAt: at }) =>
      parsed && fault === null ? [{ machineId, cause: 'dex_wrong_machine' as const, at }] : [],
    ),
  )
}

const keyOf = ({ machine, msgId }: Audit) => `${machine.id}/${msgId}`
const later = (one: Last | undefined, other: Last | undefined): Last | undefined =>
  one && other ? (one.readAt >= other.readAt ? one : other) : (one ?? other)

const isOther = (before: DexRead, { parsed, fault }: ReturnType<typeof understood>): boolean =>
  parsed !== null && fault === null && soldBetween(before.selections, parsed.selections).isNewEpoch

/** A file that names another machine is kept with what it says: somebody swapped boards or plugs. */
function understood({ machine, raw }: Audit): { parsed: DexRead | null; fault: Fault | null } {
  const result = readDex(raw)
  if (!result.ok) return { parsed: null, fault: result.fault }
  const { assetNumber } = result.read
  const isOurs = assetNumber === '' || assetNumber === machine.code
  return { parsed: result.read, fault: isOurs ? null : 'wrongMachine' }
}

/** For each of these files the last one that is believed and was read before it. */
async function findBefore(tx: Tx, audits: readonly Audit[]): Promise<Map<string, Last>> {
  const asked = audits.map((audit) => ({ key: keyOf(audit), machineId: audit.machine.id, readAt: audit.readAt }))
  const found = await sql<{ key: string } & Last>`
    select a.key, d.epoch, d.parsed, d.read_at as "readAt"
    from ${rows('a', asked, { key: 'text', machineId: 'bigint', readAt: 'timestamptz' })}
    cross join lateral (select epoch, parsed, read_at from dex_read
      where machine_id = a.machine_id and fault is null and parsed is not null and read_at <= a.read_at
      order by read_at desc, id desc limit 1) d`.execute(tx)
  return new Map(found.rows.map(({ key, ...last }) => [key, last]))
}

type NewRead = Audit & {
  machineId: number
  merchantId: number
  parsed: DexRead | null
  fault: Fault | null
  epoch: number
}

async function insertReads(tx: Tx, reads: readonly NewRead[]): Promise<void> {
  const kept = reads.map((read) => ({ ...read, parsed: read.parsed && JSON.stringify(read.parsed) }))
  await sql`insert into dex_read
      (merchant_id, machine_id, msg_id, kind, read_at, received_at, fault, epoch, raw, parsed)
    select * from ${rows('r', kept, {
      merchantId: 'bigint',
      machineId: 'bigint',
      msgId: 'text',
      kind: 'text',
      readAt: 'timestamptz',
      receivedAt: 'timestamptz',
      fault: 'text',
      epoch: 'int',
      raw: 'text',
      parsed: 'jsonb',
    })}`.execute(tx)
}
