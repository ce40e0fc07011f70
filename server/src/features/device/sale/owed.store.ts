import { commandState, type CommandType } from '@aisle/contract/device/commands'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import type { Ended } from '../command/command.store'
import { statesIn } from '../../../kernel/states'
import { flagsOf, learnSettings, settingDiffers, type ToldSetting } from '../../fleet/public'

/** A setting that holds here and that a machine has to take over; over `machine m` and `device_command c`. */
export type Setting = {
  type: CommandType
  /** What its command says, as JSON. */
  wanted: RawBuilder<unknown>
  told: ToldSetting
  /** What a command says of it, if it says anything; a template brings a thermostat along. */
  said: RawBuilder<unknown>
}

const thermostatSaid = sql`case c.type when 'set_thermostat' then c.data
  when 'push_template' then c.data #> '{settings,thermostat}' end`

export const settings: readonly Setting[] = [
  {
    type: 'set_thermostat',
    wanted: sql`m.thermostat`,
    told: 'thermostat',
    said: thermostatSaid,
  },
  {
    type: 'set_license_mode',
    wanted: sql`jsonb_build_object('mode', m.licence_mode)`,
    told: 'licenceMode',
    said: sql`case c.type when 'set_license_mode' then c.data end`,
  },
  {
    type: 'set_flags',
    wanted: flagsOf,
    told: 'flags',
    said: sql`case c.type when 'set_flags' then c.data end`,
  },
]

/** What a machine refused or failed at is not asked again at each of its connections. */
export const AGAIN_AFTER_MS = 3_600_000

const ofMachine = (type: CommandType) => sql`c.machine_id = m.id and c.type = ${type}`

/**
 * Machines that do not go by what holds, or have a command on its way that says something else; held until the end, so
 * that of two who look at the same time the second one sees the first one's command.
 * @param machineIds null: all of them
 */
export async function holdOwing(
  tx: Tx,
  { type, wanted, told }: Setting,
  machineIds: readonly number[] | null,
): Promise<number[]> {
  const which = machineIds ? sql`m.id = any(${[...machineIds]}::bigint[])` : sql`true`
  const held = await sql<{ id: number }>`select m.id from machine m
    where ${which} and m.retired_at is null and (${settingDiffers[told]} or exists (
      select 1 from device_command c
      where ${ofMachine(type)} and c.state in ${statesIn(commandState, 'untaken')}
        and c.data <> ${wanted}))
    order by m.id for no key update of m`.execute(tx)
  return held.rows.map(({ id }) => id)
}

/** On `device_command c`: commands to these that no machine has taken and that say what no longer holds. */
export const isOutdated = ({ type, wanted }: Setting, machineIds: readonly number[]) => sql`c.id in (
  select c.id from device_command c join machine m on m.id = c.machine_id
  where m.id = any(${[...machineIds]}::bigint[]) and c.type = ${type} and
    c.state in ${statesIn(commandState, 'untaken')}
    and c.data <> ${wanted}
  for update of c skip locked)`

export type Owed = { id: number; merchantId: number; data: Record<string, unknown> }

/** Of these machines those that have to be told; whoever is being told already is waited for. */
export async function findOwed(
  tx: Tx,
  { type, wanted, told, said }: Setting,
  machineIds: readonly number[],
  now: Date,
): Promise<Owed[]> {
  const lately = new Date(now.getTime() - AGAIN_AFTER_MS)
  const owed = await sql<Owed>`select m.id, m.merchant_id as "merchantId", ${wanted} as data from machine m
    where m.id = any(${[...machineIds]}::bigint[]) and ${settingDiffers[told]} and not exists (
      select 1 from device_command c where c.machine_id = m.id and (
        ${ofMachine(type)} and c.state in ${statesIn(commandState, 'waiting')}
        or c.state in ${statesIn(commandState, 'waiting')} and ${said} = ${wanted}
        or c.state in ${statesIn(commandState, 'bad')} and c.finished_at > ${lately} and ${said} = ${wanted}))
    order by m.id`.execute(tx)
  return owed.rows
}

/**
 * What machines took over, by their own word, on time or late; a later command that was done knows better.
 * @returns whether one of them goes by something else than what holds
 */
export async function learnTold(tx: Tx, ended: readonly Ended[]): Promise<boolean> {
  const done = ended.filter(({ state }) => commandState.is(state, 'done')).map(({ id }) => ({ id }))
  if (done.length === 0) return false
  let isOwing = false
  for (const { told, said } of settings) {
    const newest = sql`select c.machine_id, ${said} as told
      from ${rows('e', done, { id: 'uuid' })} join device_command c on c.id = e.id
      where ${said} is not null and not exists (
        select 1 from device_command n where n.machine_id = c.machine_id and n.type = c.type and n.seq > c.seq
          and 'done' in (n.state, n.late_state))`
    if (await learnSettings(tx, told, newest)) isOwing = true
  }
  return isOwing
}
