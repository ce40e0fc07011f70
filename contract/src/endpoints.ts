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
import * as diagnosis from './maintenance/diagnosis'
import * as repairPlan from './maintenance/plan'
import * as repairOrder from './maintenance/repairOrder'
import * as member from './member/member'
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
import * as doctor from './people/doctor'
import * as organisation from './people/organisation'
import * as user from './people/user'
import * as planogramApply from './planogram/apply'
import * as planogramSlot from './planogram/slot'
import * as planogramTemplate from './planogram/template'
import * as performance from './report/performance'
import * as reportRequest from './report/request'
import * as acting from './rights/acting'
import * as menu from './rights/menu'
import * as resource from './rights/resource'
import * as role from './rights/role'
import * as authorisation from './sight/authorisation'
import * as why from './sight/why'
import * as feedback from './support/feedback'
import * as agreement from './system/agreement'
import * as dictionary from './system/dictionary'
import * as systemHome from './system/home'
import * as languageEntry from './system/languageEntry'
import * as picture from './system/picture'
import * as system from './system/search'
import * as setting from './system/setting'
import * as trade from './trade/order'
import * as wallboard from './wallboard/board'

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
  machineForm,
  machineImport,
  machineStatus,
  firstAdmin,
  identity,
  merchant,
  system,
  trade,
  wallboard,
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
  user,
  organisation,
  doctor,
  authorisation,
  why,
  log,
  systemAlarm,
  reportRequest,
  performance,
  setting,
  dictionary,
  languageEntry,
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
  planogramSlot,
  planogramTemplate,
  planogramApply,
]

/** Every endpoint of the product; the server binds each once or does not start, tests and OpenAPI walk this list. */
export const endpoints: readonly Endpoint[] = domains.flatMap((domain) => Object.values(domain).filter(isEndpoint))
