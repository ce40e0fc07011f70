import * as alarm from './alarm/alarm'
import * as stockRule from './alarm/stockRule'
import * as log from './audit/log'
import * as systemAlarm from './audit/systemAlarm'
import * as deviceAudit from './device/audit'
import * as commandBatch from './device/batch'
import * as machineCommand from './device/command'
import * as device from './device/link'
import * as machineTest from './device/machineTest'
import * as operate from './device/operate'
import * as remoteShip from './device/remoteShip'
import * as selfCheck from './device/selfCheck'
import * as software from './device/software'
import * as temperature from './device/temperature'
import * as area from './fleet/area'
import * as assortment from './fleet/assortment'
import * as flowCard from './fleet/flowCard'
import * as group from './fleet/group'
import * as guesses from './fleet/guesses'
import * as hospital from './fleet/hospital'
import * as fleet from './fleet/machine'
import * as machineBatch from './fleet/machineBatch'
import * as machineForm from './fleet/machineForm'
import * as machineImport from './fleet/machineImport'
import * as machineStatus from './fleet/machineStatus'
import * as officialAccount from './fleet/officialAccount'
import * as point from './fleet/point'
import * as route from './fleet/route'
import * as firstAdmin from './identity/firstAdmin'
import * as ownSessions from './identity/ownSessions'
import * as password from './identity/password'
import * as secondFactor from './identity/secondFactor'
import * as identity from './identity/session'
import * as sso from './identity/sso'
import type { Endpoint } from './kernel/endpoint'
import * as prizeClaim from './lottery/claim'
import * as play from './lottery/play'
import * as win from './lottery/statistics'
import * as diagnosis from './maintenance/diagnosis'
import * as repairPlan from './maintenance/plan'
import * as repairOrder from './maintenance/repairOrder'
import * as member from './member/member'
import * as memberCard from './member/memberCard'
import * as bankAccount from './merchant/bankAccount'
import * as integration from './merchant/integration'
import * as licence from './merchant/licence'
import * as merchant from './merchant/merchant'
import * as alarmLog from './notice/alarmLog'
import * as bell from './notice/bell'
import * as messageType from './notice/messageType'
import * as notice from './notice/notice'
import * as push from './notice/push'
import * as pushSetting from './notice/pushSetting'
import * as paymentAccount from './payment/account'
import * as collection from './payment/collection'
import * as paymentProvider from './payment/provider'
import * as paymentRecord from './payment/record'
import * as paymentService from './payment/service'
import * as partnerShipment from './partner/shipment'
import * as doctor from './people/doctor'
import * as organisation from './people/organisation'
import * as user from './people/user'
import * as medicine from './pharmacy/medicine'
import * as prescription from './pharmacy/prescription'
import * as prescriptionReview from './pharmacy/review'
import * as prescriptionSales from './pharmacy/sales'
import * as prescriptionWrite from './pharmacy/write'
import * as pickupBatch from './pickup/batch'
import * as pickupCode from './pickup/pickupCode'
import * as planogramApply from './planogram/apply'
import * as planogramSlot from './planogram/slot'
import * as planogramTemplate from './planogram/template'
import * as reportGoods from './report/goods'
import * as reportOverview from './report/overview'
import * as reportPayments from './report/payments'
import * as performance from './report/performance'
import * as reportRanking from './report/ranking'
import * as refundProblem from './refund/problem'
import * as refundUnclaimed from './refund/unclaimed'
import * as refund from './refund/refund'
import * as refundVerbs from './refund/verbs'
import * as reportRequest from './report/request'
import * as reportSales from './report/sales'
import * as acting from './rights/acting'
import * as menu from './rights/menu'
import * as resource from './rights/resource'
import * as role from './rights/role'
import * as settlementBank from './settlement/bank'
import * as settlementBooks from './settlement/books'
import * as settlementDifference from './settlement/difference'
import * as settlementFee from './settlement/fee'
import * as settlementRun from './settlement/run'
import * as authorisation from './sight/authorisation'
import * as why from './sight/why'
import * as feedback from './support/feedback'
import * as agreement from './system/agreement'
import * as dictionary from './system/dictionary'
import * as dashboard from './home/dashboard'
import * as systemHome from './system/home'
import * as languageEntry from './system/languageEntry'
import * as picture from './system/picture'
import * as system from './system/search'
import * as setting from './system/setting'
import * as orderItem from './trade/item'
import * as trade from './trade/order'
import * as wallboard from './wallboard/board'
import * as displayKey from './wallboard/displayKey'
import * as boardReplay from './wallboard/replay'
import * as boardSection from './wallboard/section'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Said to hold anything, since comparing the types of some hundred endpoints with each other takes minutes. */
const domains: readonly Record<string, unknown>[] = [
  device,
  deviceAudit,
  temperature,
  operate,
  machineCommand,
  commandBatch,
  machineTest,
  selfCheck,
  remoteShip,
  software,
  fleet,
  machineBatch,
  guesses,
  machineForm,
  machineImport,
  machineStatus,
  firstAdmin,
  identity,
  merchant,
  system,
  trade,
  orderItem,
  refund,
  refundVerbs,
  refundProblem,
  refundUnclaimed,
  wallboard,
  boardSection,
  boardReplay,
  displayKey,
  ownSessions,
  secondFactor,
  sso,
  password,
  role,
  resource,
  menu,
  acting,
  licence,
  bankAccount,
  integration,
  paymentService,
  paymentProvider,
  paymentAccount,
  paymentRecord,
  collection,
  user,
  organisation,
  partnerShipment,
  doctor,
  medicine,
  prescription,
  prescriptionWrite,
  prescriptionReview,
  prescriptionSales,
  authorisation,
  why,
  log,
  systemAlarm,
  reportRequest,
  performance,
  reportGoods,
  reportOverview,
  reportPayments,
  reportRanking,
  reportSales,
  setting,
  dictionary,
  languageEntry,
  dashboard,
  systemHome,
  agreement,
  picture,
  notice,
  messageType,
  push,
  pushSetting,
  bell,
  alarm,
  stockRule,
  prizeClaim,
  pickupCode,
  pickupBatch,
  play,
  win,
  diagnosis,
  repairPlan,
  repairOrder,
  alarmLog,
  feedback,
  hospital,
  point,
  area,
  route,
  group,
  flowCard,
  assortment,
  officialAccount,
  member,
  memberCard,
  planogramSlot,
  planogramTemplate,
  planogramApply,
  settlementRun,
  settlementDifference,
  settlementBank,
  settlementBooks,
  settlementFee,
]

/** Every endpoint of the product; the server binds each once or does not start, tests and OpenAPI walk this list. */
export const endpoints: readonly Endpoint[] = domains.flatMap((domain) => Object.values(domain).filter(isEndpoint))
