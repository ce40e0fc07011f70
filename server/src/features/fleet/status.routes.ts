import {
  getHospitalStatus,
  listHospitalStatus,
  listMachineStatus,
  mapMachines,
} from '@aisle/contract/fleet/machineStatus'
import { refuse } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { findStatus, page as hospitalPage } from './hospitalStatus.reads'
import { findCities, page } from './machine.status.reads'

export const routes: Route[] = [
  query(listMachineStatus, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  query(mapMachines, (ctx, input) => findCities(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  query(listHospitalStatus, (ctx, input) => hospitalPage(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  query(getHospitalStatus, async (ctx, { id }) => {
    const found = await findStatus(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
]
