import { faultText, type Words } from '@aisle/contract/device/said'
import {
  getHospitalStatus,
  listHospitalStatus,
  listMachineStatus,
  type MachineStatus,
  mapMachines,
} from '@aisle/contract/fleet/machineStatus'
import type { Language } from '@aisle/contract/kernel/text'
import { mapRows } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { findStatus, listHospitalStatusIn } from '../place/hospitalStatus.reads'
import { findCities, listMachineStatusIn } from './machine.status.reads'

export const routes: Route[] = [
  ...listOf(listMachineStatus, (ctx, input) =>
    mapRows(listMachineStatusIn(sightOf(ctx.actor), input, ctx.now()), (rows) =>
      rows.map((each) => worded(each, ctx.language)),
    ),
  ),
  query(mapMachines, (ctx, input) => findCities(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  ...listOf(listHospitalStatus, (ctx, input) => listHospitalStatusIn(sightOf(ctx.actor), input, ctx.now())),
  query(getHospitalStatus, async (ctx, { id }) => {
    const found = await findStatus(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
]

/** A fault in words of whoever reads it. */
function worded(status: MachineStatus, language: Language): MachineStatus {
  const { faults } = status
  const any: Words['any'] = (key, vars) => word(language, 'device', key, vars)
  const or: Words['or'] = (key, code) => (any(key) === key ? code : any(key))
  return { ...status, faults: { ...faults, value: faults.value && faultText(faults.value, { any, or }) } }
}
