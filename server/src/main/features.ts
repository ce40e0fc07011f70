import { advert } from '../features/advert/manifest'
import { alarm } from '../features/alarm/manifest'
import { audit } from '../features/audit/manifest'
import { catalog } from '../features/catalog/manifest'
import { checkout } from '../features/checkout/manifest'
import { counting } from '../features/counting/manifest'
import { device } from '../features/device/manifest'
import { events } from '../features/events/manifest'
import { field } from '../features/field/manifest'
import { fleet } from '../features/fleet/manifest'
import { funds } from '../features/funds/manifest'
import { home } from '../features/home/manifest'
import { identity } from '../features/identity/manifest'
import { lottery } from '../features/lottery/manifest'
import { maintenance } from '../features/maintenance/manifest'
import { medicine } from '../features/medicine/manifest'
import { member } from '../features/member/manifest'
import { merchant } from '../features/merchant/manifest'
import { notice } from '../features/notice/manifest'
import { partner } from '../features/partner/manifest'
import { payment } from '../features/payment/manifest'
import { people } from '../features/people/manifest'
import { pharmacy } from '../features/pharmacy/manifest'
import { pickup } from '../features/pickup/manifest'
import { advice } from '../features/advice/manifest'
import { planogram } from '../features/planogram/manifest'
import { promotion } from '../features/promotion/manifest'
import { purchase } from '../features/purchase/manifest'
import { refund } from '../features/refund/manifest'
import { report } from '../features/report/manifest'
import { rights } from '../features/rights/manifest'
import { settlement } from '../features/settlement/manifest'
import { sight } from '../features/sight/manifest'
import { stock } from '../features/stock/manifest'
import { support } from '../features/support/manifest'
import { system } from '../features/system/manifest'
import { trade } from '../features/trade/manifest'
import { wallboard } from '../features/wallboard/manifest'
import { reportJobs } from '../features/report/report.jobs'
import type { Feature } from '../kernel/feature'

/** What is not named here does not exist. */
const features: readonly Feature[] = [
  identity,
  rights,
  merchant,
  events,
  catalog,
  medicine,
  fleet,
  people,
  sight,
  payment,
  stock,
  purchase,
  counting,
  promotion,
  member,
  pharmacy,
  pickup,
  lottery,
  trade,
  refund,
  alarm,
  device,
  planogram,
  advice,
  maintenance,
  field,
  checkout,
  partner,
  settlement,
  funds,
  advert,
  support,
  notice,
  report,
  audit,
  wallboard,
  home,
  system,
]

export const routes = features.flatMap((feature) => feature.routes ?? [])
/** Exports are made from the lists of every domain. */
export const jobs = [...features.flatMap((feature) => feature.jobs ?? []), ...reportJobs(routes)]
export const rawRoutes = features.flatMap((feature) => feature.rawRoutes ?? [])
export const sockets = features.flatMap((feature) => feature.sockets ?? [])
export const followers = features.flatMap((feature) => feature.followers ?? [])
export const background = features.flatMap((feature) => feature.background ?? [])
