import { advert } from './advert/manifest'
import { alarm } from './alarm/manifest'
import { audit } from './audit/manifest'
import { catalog } from './catalog/manifest'
import { counting } from './counting/manifest'
import { device } from './device/manifest'
import { events } from './events/manifest'
import { field } from './field/manifest'
import { fleet } from './fleet/manifest'
import { funds } from './funds/manifest'
import { home } from './home/manifest'
import { identity } from './identity/manifest'
import { lottery } from './lottery/manifest'
import { maintenance } from './maintenance/manifest'
import { medicine } from './medicine/manifest'
import { member } from './member/manifest'
import { merchant } from './merchant/manifest'
import { notice } from './notice/manifest'
import { partner } from './partner/manifest'
import { payment } from './payment/manifest'
import { people } from './people/manifest'
import { pharmacy } from './pharmacy/manifest'
import { pickup } from './pickup/manifest'
import { advice } from './advice/manifest'
import { planogram } from './planogram/manifest'
import { promotion } from './promotion/manifest'
import { purchase } from './purchase/manifest'
import { refund } from './refund/manifest'
import { report } from './report/manifest'
import { rights } from './rights/manifest'
import { settlement } from './settlement/manifest'
import { sight } from './sight/manifest'
import { stock } from './stock/manifest'
import { support } from './support/manifest'
import { system } from './system/manifest'
import { trade } from './trade/manifest'
import { wallboard } from './wallboard/manifest'
import type { Manifest } from './kernel/manifest'

/** What the domains declare, lowest first. */
export const manifests: readonly Manifest[] = [
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
