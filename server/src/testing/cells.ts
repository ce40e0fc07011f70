import { sight as advert } from '../features/advert/testing.sight'
import { sight as alarm } from '../features/alarm/testing.sight'
import { sight as audit } from '../features/audit/testing.sight'
import { sight as catalog } from '../features/catalog/testing.sight'
import { sight as counting } from '../features/counting/testing.sight'
import { sight as device } from '../features/device/testing.sight'
import { sight as events } from '../features/events/testing.sight'
import { sight as field } from '../features/field/testing.sight'
import { sight as fleet } from '../features/fleet/testing.sight'
import { sight as funds } from '../features/funds/testing.sight'
import { sight as identity } from '../features/identity/testing.sight'
import { sight as lottery } from '../features/lottery/testing.sight'
import { sight as maintenance } from '../features/maintenance/testing.sight'
import { sight as medicine } from '../features/medicine/testing.sight'
import { sight as member } from '../features/member/testing.sight'
import { sight as merchant } from '../features/merchant/testing.sight'
import { sight as notice } from '../features/notice/testing.sight'
import { sight as partner } from '../features/partner/testing.sight'
import { sight as payment } from '../features/payment/testing.sight'
import { sight as people } from '../features/people/testing.sight'
import { sight as pharmacy } from '../features/pharmacy/testing.sight'
import { sight as pickup } from '../features/pickup/testing.sight'
import { sight as advice } from '../features/advice/testing.sight'
import { sight as planogram } from '../features/planogram/testing.sight'
import { sight as promotion } from '../features/promotion/testing.sight'
import { sight as purchase } from '../features/purchase/testing.sight'
import { sight as refund } from '../features/refund/testing.sight'
import { sight as report } from '../features/report/testing.sight'
import { sight as rights } from '../features/rights/testing.sight'
import { sight as settlement } from '../features/settlement/testing.sight'
import { sight } from '../features/sight/testing.sight'
import { sight as support } from '../features/support/testing.sight'
import { sight as system } from '../features/system/testing.sight'
import { sight as stock } from '../features/stock/testing.sight'
import { sight as trade } from '../features/trade/testing.sight'
import { sight as wallboard } from '../features/wallboard/testing.sight'
import type { SightCells } from './sightCells'

/** Of every domain. */
export const cells: readonly SightCells[] = [
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
  support,
  settlement,
  funds,
  advert,
  notice,
  report,
  audit,
  wallboard,
  system,
]
