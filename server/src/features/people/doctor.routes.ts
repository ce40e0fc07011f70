import { addDoctor, editDoctor, getDoctor, getDoctorChoices, listDoctors } from '@aisle/contract/people/doctor'
import { licenceWarningDays } from '@aisle/contract/system/settings'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { add, edit } from './doctor.commands'
import { findDoctorDetail, hospitalsFor, listDoctorsIn, type Today } from './doctor.reads'
import { merchantsFor } from './user.reads'
import { findMerchant } from './user.store'

export const routes: Route[] = [
  ...listOf(listDoctors, async (ctx, input) => listDoctorsIn(sightOf(ctx.actor), await todayOf(ctx), input)),
  query(getDoctor, async (ctx, { id }) =>
    existing(await findDoctorDetail(ctx.db, sightOf(ctx.actor), await todayOf(ctx), id)),
  ),
  query(getDoctorChoices, async (ctx, { merchantId = ctx.actor.merchantId }) => {
    const sight = sightOf(ctx.actor)
    if (!(await findMerchant(ctx.db, sight, merchantId))) return refuse('request.notFound')
    return {
      merchantId,
      merchants: await merchantsFor(ctx.db, sight),
      hospitals: await hospitalsFor(ctx.db, merchantId),
    }
  }),
  command(addDoctor, add, 'nothing'),
  command(editDoctor, edit),
]

const todayOf = async (ctx: QueryContext): Promise<Today> => ({
  day: businessTime(ctx.now(), PLATFORM_TIME_ZONE).day,
  warningDays: await settingOf(ctx.db, licenceWarningDays, ctx.actor.merchantId),
})
