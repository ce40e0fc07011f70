import {
  addCountLine,
  cancelCount,
  explainLines,
  finishCount,
  getCount,
  listCounts,
  openCount,
  openHospitalCounts,
  openRouteCounts,
  openSlotCounts,
  postCount,
  recountLines,
  saveCount,
} from '@aisle/contract/counting/count'
import { listReplenishments } from '@aisle/contract/counting/replenishment'
import { listHospitalStock, listMachineStock, listRouteStock, listSlotStock } from '@aisle/contract/counting/lying'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as counting from './count.commands'
import { countsIn, findCount } from './count.reads'
import { replenishmentsIn } from './replenishment.reads'
import { lyingIn } from './lying.reads'
import * as opening from './open.commands'
import { post } from './post.commands'

export const routes: Route[] = [
  ...listOf(listRouteStock, (ctx, filter) => lyingIn(ctx, 'route', filter)),
  ...listOf(listMachineStock, (ctx, filter) => lyingIn(ctx, 'machine', filter)),
  ...listOf(listHospitalStock, (ctx, filter) => lyingIn(ctx, 'hospital', filter)),
  ...listOf(listSlotStock, (ctx, filter) => lyingIn(ctx, 'slot', filter)),
  ...listOf(listReplenishments, replenishmentsIn),
  ...listOf(listCounts, countsIn),
  query(getCount, async (ctx, { id }) => existing(await findCount(ctx, id))),
  command(openCount, opening.open),
  command(openRouteCounts, opening.openRoute),
  command(openHospitalCounts, opening.openHospital),
  command(openSlotCounts, opening.openSlots),
  command(saveCount, counting.save),
  command(addCountLine, counting.addLine),
  command(finishCount, counting.finish),
  command(recountLines, counting.recount),
  command(explainLines, counting.explain),
  command(cancelCount, counting.cancel),
  command(postCount, post),
]
