import {
  addHospital,
  assignPoint as assignPointEndpoint,
  editHospital,
  getHospital,
  listHospitals,
  releasePoint as releasePointEndpoint,
  removeHospital,
  resumeHospital,
  stopHospital,
} from '@aisle/contract/fleet/hospital'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, assignPoint, edit, move, releasePoint, remove } from './hospital.commands'
import { findDetail, page } from './hospital.reads'

export const routes: Route[] = [
  query(listHospitals, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input)),
  query(getHospital, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id)
    return found ?? refuse('request.notFound')
  }),
  command(addHospital, add),
  command(editHospital, edit),
  command(stopHospital, (ctx, { id }) => move(ctx, id, 'stop')),
  command(resumeHospital, (ctx, { id }) => move(ctx, id, 'resume')),
  command(removeHospital, (ctx, { id }) => remove(ctx, id)),
  command(assignPointEndpoint, (ctx, { id, pointId }) => assignPoint(ctx, id, pointId)),
  command(releasePointEndpoint, (ctx, { id, pointId }) => releasePoint(ctx, id, pointId)),
]
