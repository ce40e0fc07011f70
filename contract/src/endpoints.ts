import * as log from './audit/log'
import * as systemAlarm from './audit/systemAlarm'
import * as device from './device/link'
import * as operate from './device/operate'
import * as hospital from './fleet/hospital'
import * as fleet from './fleet/machine'
import * as firstAdmin from './identity/firstAdmin'
import * as ownSessions from './identity/ownSessions'
import * as password from './identity/password'
import * as secondFactor from './identity/secondFactor'
import * as identity from './identity/session'
import * as sso from './identity/sso'
import type { Endpoint } from './kernel/endpoint'
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
  operate,
  fleet,
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
  alarmLog,
  feedback,
  hospital,
  member,
]

/** Every endpoint of the product; the server binds each once or does not start, tests and OpenAPI walk this list. */
export const endpoints: readonly Endpoint[] = domains.flatMap((domain) => Object.values(domain).filter(isEndpoint))
