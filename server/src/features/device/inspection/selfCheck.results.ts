import { commandState } from '@aisle/contract/device/commands'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { clearAlarms, raiseAlarms } from '../../alarm/public'
import type { Ended } from '../command/command.store'
import { failingIn, partsIn, verdictOf } from './selfCheck.rules'

/** What machines found out about themselves: kept, the newest one marked; alarms follow what works and what doesn't. */
export async function takeSelfChecks(tx: Tx, all: readonly Ended[]): Promise<void> {
  const checks = all.flatMap((end) => {
    const parts = end.type === 'self_check' && commandState.is(end.state, 'done') ? partsIn(end.result) : null
    return parts ? [{ ...end, parts, failing: failingIn(parts) }] : []
  })
  if (checks.length === 0) return
  // Of two checks of a machine in one batch the last is the newest.
  const newest = new Map(checks.map((each) => [each.machineId, each.id]))
  await sql`update self_check set is_newest = false
    where is_newest and machine_id = any(${[...newest.keys()]}::bigint[])`.execute(tx)
  const kept = checks.map((check) => ({
    merchantId: check.merchantId,
    machineId: check.machineId,
    commandId: check.id,
    at: check.at,
    parts: JSON.stringify(check.parts),
    partCount: check.parts.length,
    failing: check.failing.join(','),
    isNewest: newest.get(check.machineId) === check.id,
  }))
  await sql`insert into self_check
      (merchant_id, machine_id, command_id, checked_at, parts, part_count, failing, is_newest)
    select merchant_id, machine_id, command_id, at, parts, part_count,
      case when failing = '' then '{}' else string_to_array(failing, ',') end, is_newest
    from ${rows('c', kept, {
      merchantId: 'bigint',
      machineId: 'bigint',
      commandId: 'uuid',
      at: 'timestamptz',
      parts: 'jsonb',
      partCount: 'int',
      failing: 'text',
      isNewest: 'boolean',
    })} on conflict (command_id) do nothing`.execute(tx)
  const verdicts = checks.map((check) => ({ check, verdict: verdictOf(check.parts) }))
  const about = ({ machineId, merchantId, at }: Ended) => ({ machineId, merchantId, at })
  await raiseAlarms(
    tx,
    verdicts.flatMap(({ check, verdict }) => verdict.raise.map((wrong) => ({ ...about(check), ...wrong }))),
  )
  await clearAlarms(
    tx,
    verdicts.flatMap(({ check, verdict }) => verdict.clear.map((right) => ({ ...about(check), ...right }))),
  )
}
