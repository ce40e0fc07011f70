import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { type Raised, raiseAlarms } from '../alarm/public'
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
type Last = { epoch: number; parsed: DexRead }

/** Keeps audit files as they came, with what they say and whether it is believed. */
export async function takeAudits(tx: Tx, audits: readonly Audit[]): Promise<void> {
  if (audits.length === 0) return
  const last = await findLast(
    tx,
    audits.map(({ machine }) => machine.id),
  )
  const alarms: Raised[] = []
  const reads = [...audits]
    .sort((a, b) => a.readAt.getTime() - b.readAt.getTime())
    .map((audit) => {
      const { machine, readAt } = audit
      const before = last.get(machine.id)
      const found = understood(audit)
      const isNewEpoch = before && isOther(before.parsed, found)
      const epoch = (before?.epoch ?? 1) + (isNewEpoch ? 1 : 0)
      const about = { machineId: machine.id, merchantId: machine.merchantId, at: readAt }
      if (found.fault === 'wrongMachine') {
        const says = found.parsed?.assetNumber ?? ''
        alarms.push({ ...about, cause: 'dex_wrong_machine', facts: { code: machine.code, says } })
      }
      if (isNewEpoch) alarms.push({ ...about, cause: 'counter_reset', facts: { epoch } })
      if (found.parsed && !found.fault) last.set(machine.id, { epoch, parsed: found.parsed })
      return { ...audit, ...found, epoch, machineId: machine.id, merchantId: machine.merchantId }
    })
  await insertReads(tx, reads)
  await raiseAlarms(tx, alarms)
}

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

async function findLast(tx: Tx, machineIds: readonly number[]): Promise<Map<number, Last>> {
  const found = await sql<{ machineId: number } & Last>`
    select distinct on (machine_id) machine_id as "machineId", epoch, parsed from dex_read
    where machine_id = any(${[...machineIds]}::bigint[]) and fault is null
    order by machine_id, read_at desc, id desc`.execute(tx)
  return new Map(found.rows.map(({ machineId, epoch, parsed }) => [machineId, { epoch, parsed }]))
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
