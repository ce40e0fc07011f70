import { machineOperation } from '@aisle/contract/fleet/states'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kernel/context'
import { statesFrom, stateTo } from '../../../kernel/states'

/** What is chosen here for machines, and what they last went by, by their own word. */

export async function moveOperations(
  tx: Tx,
  verb: keyof typeof machineOperation.moves,
  machineIds: readonly number[],
): Promise<void> {
  await sql`update machine set operation = ${stateTo(machineOperation, verb)}
    where id = any(${[...machineIds]}::bigint[])
      and operation in ${statesFrom(machineOperation, verb)}`.execute(tx)
}

type Ids = Promise<number[]>

/** @param told a `select` of machine_id and operation @returns of which machines */
export async function learnOperations(tx: Tx, told: RawBuilder<unknown>): Ids {
  const learnt = await sql<{ id: number }>`update machine m set operation_told = t.operation from (${told}) t
    where m.id = t.machine_id returning m.id`.execute(tx)
  return learnt.rows.map(({ id }) => id)
}

/** Where it still is as chosen. @param chosen a `select` of machine_id and operation @returns of which machines */
export async function takeBackOperations(tx: Tx, chosen: RawBuilder<unknown>): Ids {
  const back = await sql<{ id: number }>`update machine m
    set operation = case t.operation when 'stopped' then 'in_operation' else 'stopped' end from (${chosen}) t
    where m.id = t.machine_id and m.operation = t.operation returning m.id`.execute(tx)
  return back.rows.map(({ id }) => id)
}

/** Over `machine m`: how it hands out, as its command says it. */
export const flagsOf = sql`jsonb_build_object('shipsAfterJam', m.ships_after_jam, 'shipsDirectly', m.ships_directly)`

/** Over `machine m`: whether what holds is something else than what the machine last took over. */
export const settingDiffers = {
  thermostat: sql<boolean>`(m.thermostat is distinct from m.thermostat_told and m.thermostat is not null)`,
  licenceMode: sql<boolean>`m.licence_mode <> m.licence_mode_told`,
  flags: sql<boolean>`${flagsOf} <> m.flags_told`,
}
export type ToldSetting = keyof typeof settingDiffers

const written: Record<ToldSetting, { forget: RawBuilder<unknown>; learn: RawBuilder<unknown> }> = {
  thermostat: { forget: sql`thermostat_told = null`, learn: sql`thermostat_told = t.told` },
  licenceMode: { forget: sql`licence_mode_told = ''`, learn: sql`licence_mode_told = t.told ->> 'mode'` },
  // Nobody's word is not that both are off: null is neither.
  flags: { forget: sql`flags_told = 'null'`, learn: sql`flags_told = t.told` },
}

/** Nobody knows what these machines go by. */
export async function forgetSettings(tx: Tx, setting: ToldSetting, machineIds: readonly number[]): Promise<void> {
  if (machineIds.length === 0) return
  await sql`update machine set ${written[setting].forget}
    where id = any(${[...machineIds]}::bigint[])`.execute(tx)
}

/**
 * @param told a `select` of machine_id and told, as JSON
 * @returns whether one of them goes by something else than what holds
 */
export async function learnSettings(tx: Tx, setting: ToldSetting, told: RawBuilder<unknown>): Promise<boolean> {
  const learnt = await sql<{ differs: boolean }>`update machine m set ${written[setting].learn} from (${told}) t
    where m.id = t.machine_id returning ${settingDiffers[setting]} as differs`.execute(tx)
  return learnt.rows.some(({ differs }) => differs)
}

type Settings = {
  flowAlarmMb: number | null
  temperatureMinC: number | null
  temperatureMaxC: number | null
  humidityMin: number | null
  humidityMax: number | null
  thermostat: unknown
}

/** What is null stays as it is. */
export async function setSettings(tx: Tx, to: Settings, machineIds: readonly number[], at: Date): Promise<void> {
  const thermostat = to.thermostat === null ? null : JSON.stringify(to.thermostat)
  await sql`update machine set flow_alarm_mb = coalesce(${to.flowAlarmMb}, flow_alarm_mb),
      temperature_min_c = coalesce(${to.temperatureMinC}::real, temperature_min_c),
      temperature_max_c = coalesce(${to.temperatureMaxC}::real, temperature_max_c),
      humidity_min = coalesce(${to.humidityMin}::real, humidity_min),
      humidity_max = coalesce(${to.humidityMax}::real, humidity_max),
      thermostat = coalesce(${thermostat}::jsonb, thermostat), version = version + 1, updated_at = ${at}
    where id = any(${[...machineIds]}::bigint[])`.execute(tx)
}
