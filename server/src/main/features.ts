import { jobs as alarmJobs } from '../features/alarm/alarm.jobs'
import { routes as alarmRoutes } from '../features/alarm/alarm.routes'
import { jobs as detectJobs } from '../features/alarm/detect.jobs'
import { jobs as flowCardJobs } from '../features/alarm/flowCard.jobs'
import { jobs as auditJobs } from '../features/audit/audit.jobs'
import { routes as logRoutes } from '../features/audit/log.routes'
import { routes as systemAlarmRoutes } from '../features/audit/systemAlarm.routes'
import { jobs as checkoutJobs } from '../features/checkout/channel.jobs'
import { rawRoutes as notifyRoutes } from '../features/checkout/notify.commands'
import { routes as auditFileRoutes } from '../features/device/audit.routes'
import { routes as commandRoutes } from '../features/device/command.routes'
import { jobs as deviceJobs } from '../features/device/device.jobs'
import { jobs as recordJobs } from '../features/device/record.jobs'
import { jobs as owedJobs } from '../features/device/owed.jobs'
import { routes as inspectionRoutes } from '../features/device/inspection.routes'
import { routes as linkRoutes } from '../features/device/link.routes'
import { routes as operateRoutes } from '../features/device/operate.routes'
import { routes as temperatureRoutes } from '../features/device/temperature.routes'
import { routes as areaRoutes } from '../features/fleet/area.routes'
import { routes as assortmentRoutes } from '../features/fleet/assortment.routes'
import { routes as flowCardRoutes } from '../features/fleet/flowCard.routes'
import { routes as groupRoutes } from '../features/fleet/group'
import { routes as hospitalRoutes } from '../features/fleet/hospital'
import { routes as importRoutes } from '../features/fleet/import.routes'
import { jobs as fleetJobs } from '../features/fleet/machine.jobs'
import { rawRoutes as accountCallbackRoutes } from '../features/fleet/accountCallback.routes'
import { routes as machineRoutes } from '../features/fleet/machine.routes'
import { routes as officialAccountRoutes } from '../features/fleet/officialAccount.routes'
import { routes as pointRoutes } from '../features/fleet/point.routes'
import { routes as routeRoutes } from '../features/fleet/route.routes'
import { routes as statusRoutes } from '../features/fleet/status.routes'
import { jobs as identityJobs } from '../features/identity/identity.jobs'
import { routes as identityRoutes } from '../features/identity/identity.routes'
import { routes as ownSessionsRoutes } from '../features/identity/ownSessions.routes'
import { routes as passwordRoutes } from '../features/identity/password.routes'
import { routes as secondFactorRoutes } from '../features/identity/secondFactor.routes'
import { routes as ssoRoutes } from '../features/identity/sso.routes'
import { jobs as lotteryJobs } from '../features/lottery/lottery.jobs'
import { routes as lotteryRoutes } from '../features/lottery/lottery.routes'
import { jobs as maintenanceJobs } from '../features/maintenance/maintenance.jobs'
import { routes as maintenanceRoutes } from '../features/maintenance/maintenance.routes'
import { routes as memberRoutes } from '../features/member/member.routes'
import { routes as bankAccountRoutes } from '../features/merchant/bankAccount.routes'
import { routes as integrationRoutes } from '../features/merchant/integration.routes'
import { jobs as licenceJobs } from '../features/merchant/licence.jobs'
import { routes as licenceRoutes } from '../features/merchant/licence.routes'
import { routes as merchantRoutes } from '../features/merchant/merchant.routes'
import { routes as alarmLogRoutes } from '../features/notice/alarmLog.routes'
import { routes as bellRoutes } from '../features/notice/bell.routes'
import { routes as messageTypeRoutes } from '../features/notice/messageType.routes'
import { jobs as noticeJobs } from '../features/notice/notice.jobs'
import { routes as noticeRoutes } from '../features/notice/notice.routes'
import { routes as providerRoutes } from '../features/notice/provider.routes'
import { routes as pushRoutes } from '../features/notice/push.routes'
import { routes as pushSettingRoutes } from '../features/notice/pushSetting.routes'
import { routes as paymentAccountRoutes } from '../features/payment/account.routes'
import { routes as paymentProviderRoutes } from '../features/payment/provider.routes'
import { routes as paymentRecordRoutes } from '../features/payment/record.routes'
import { jobs as pickupJobs } from '../features/pickup/pickup.jobs'
import { routes as pickupRoutes } from '../features/pickup/pickup.routes'
import { jobs as paymentJobs } from '../features/payment/publish.jobs'
import { routes as paymentServiceRoutes } from '../features/payment/service.routes'
import { jobs as partnerJobs } from '../features/partner/callback.jobs'
import { rawRoutes as openRoutes } from '../features/partner/open.routes'
import { routes as partnerRoutes } from '../features/partner/partner.routes'
import { routes as doctorRoutes } from '../features/people/doctor.routes'
import { routes as organisationRoutes } from '../features/people/organisation.routes'
import { routes as userRoutes } from '../features/people/user.routes'
import { jobs as pharmacyJobs } from '../features/pharmacy/pharmacy.jobs'
import { routes as pharmacyRoutes } from '../features/pharmacy/pharmacy.routes'
import { jobs as planogramJobs } from '../features/planogram/planogram.jobs'
import { routes as planogramSlotRoutes } from '../features/planogram/slot.routes'
import { routes as templateRoutes } from '../features/planogram/template.routes'
import { routes as performanceRoutes } from '../features/report/performance.routes'
import { reportJobs } from '../features/report/report.jobs'
import { routes as reportRequestRoutes } from '../features/report/request.routes'
import { routes as tradeReportRoutes } from '../features/report/trade.routes'
import { routes as actingRoutes } from '../features/rights/acting.routes'
import { routes as menuRoutes } from '../features/rights/menu.routes'
import { routes as resourceRoutes } from '../features/rights/resource.routes'
import { routes as roleRoutes } from '../features/rights/role.routes'
import { routes as dashboardRoutes } from '../features/home/home.routes'
import { decisionJobs } from '../features/settlement/decision.jobs'
import { jobs as settlementJobs } from '../features/settlement/settlement.jobs'
import { routes as settlementRoutes } from '../features/settlement/settlement.routes'
import { routes as authorisationRoutes } from '../features/sight/authorisation.routes'
import { routes as whyRoutes } from '../features/sight/why.routes'
import { routes as feedbackRoutes } from '../features/support/feedback.routes'
import { routes as agreementRoutes } from '../features/system/agreement.routes'
import { routes as dictionaryRoutes } from '../features/system/dictionary.routes'
import { routes as homeRoutes } from '../features/system/home.routes'
import { routes as languageEntryRoutes } from '../features/system/languageEntry.routes'
import { routes as pictureRoutes } from '../features/system/picture.routes'
import { routes as searchRoutes } from '../features/system/search.routes'
import { routes as settingRoutes } from '../features/system/setting.routes'
import { followWords } from '../features/system/words.follow'
import { jobs as systemJobs } from '../features/system/system.jobs'
import { jobs as refundJobs } from '../features/refund/refund.jobs'
import { routes as refundRoutes } from '../features/refund/refund.routes'
import { routes as orderRoutes } from '../features/trade/order.routes'
import { jobs as rollupJobs } from '../features/trade/rollup.jobs'
import { jobs as boardJobs } from '../features/wallboard/board.jobs'
import { startBoardPush } from '../features/wallboard/board.push'
import { routes as boardRoutes } from '../features/wallboard/board.routes'
import { routes as displayKeyRoutes } from '../features/wallboard/key.routes'
import { routes as replayRoutes } from '../features/wallboard/replay.routes'
import type { Bus } from '../kernel/announce'
import type { Services } from '../kernel/context'
import type { Job } from '../kernel/jobs'
import type { RawRoute } from '../kernel/rawRoute'
import type { Route } from '../kernel/route'
import type { SocketRoute } from '../kernel/socket'

/** What each feature answers and does by itself; a feature that is not named here does not exist. */
export const routes: readonly Route[] = [
  ...identityRoutes,
  ...merchantRoutes,
  ...machineRoutes,
  ...importRoutes,
  ...statusRoutes,
  ...orderRoutes,
  ...refundRoutes,
  ...linkRoutes,
  ...operateRoutes,
  ...commandRoutes,
  ...inspectionRoutes,
  ...auditFileRoutes,
  ...temperatureRoutes,
  ...boardRoutes,
  ...displayKeyRoutes,
  ...replayRoutes,
  ...searchRoutes,
  ...ownSessionsRoutes,
  ...secondFactorRoutes,
  ...ssoRoutes,
  ...passwordRoutes,
  ...roleRoutes,
  ...resourceRoutes,
  ...menuRoutes,
  ...actingRoutes,
  ...licenceRoutes,
  ...bankAccountRoutes,
  ...integrationRoutes,
  ...paymentServiceRoutes,
  ...paymentProviderRoutes,
  ...paymentAccountRoutes,
  ...paymentRecordRoutes,
  ...userRoutes,
  ...organisationRoutes,
  ...doctorRoutes,
  ...pharmacyRoutes,
  ...authorisationRoutes,
  ...whyRoutes,
  ...logRoutes,
  ...systemAlarmRoutes,
  ...reportRequestRoutes,
  ...performanceRoutes,
  ...tradeReportRoutes,
  ...settingRoutes,
  ...dictionaryRoutes,
  ...languageEntryRoutes,
  ...homeRoutes,
  ...dashboardRoutes,
  ...agreementRoutes,
  ...pictureRoutes,
  ...noticeRoutes,
  ...messageTypeRoutes,
  ...pushRoutes,
  ...pushSettingRoutes,
  ...providerRoutes,
  ...bellRoutes,
  ...alarmLogRoutes,
  ...feedbackRoutes,
  ...hospitalRoutes,
  ...pointRoutes,
  ...areaRoutes,
  ...routeRoutes,
  ...groupRoutes,
  ...flowCardRoutes,
  ...assortmentRoutes,
  ...officialAccountRoutes,
  ...memberRoutes,
  ...alarmRoutes,
  ...lotteryRoutes,
  ...pickupRoutes,
  ...partnerRoutes,
  ...maintenanceRoutes,
  ...settlementRoutes,
  ...planogramSlotRoutes,
  ...templateRoutes,
]

export const jobs: readonly Job[] = [
  ...auditJobs,
  ...rollupJobs,
  ...reportJobs(routes),
  ...identityJobs,
  ...licenceJobs,
  ...paymentJobs,
  ...pickupJobs,
  ...refundJobs,
  ...deviceJobs,
  ...checkoutJobs,
  ...recordJobs,
  ...planogramJobs,
  ...owedJobs,
  ...fleetJobs,
  ...alarmJobs,
  ...detectJobs,
  ...lotteryJobs,
  ...partnerJobs,
  ...maintenanceJobs,
  ...settlementJobs,
  ...decisionJobs,
  ...pharmacyJobs,
  ...flowCardJobs,
  ...boardJobs,
  ...systemJobs,
  ...noticeJobs,
]

/** What others' programs call in their own words. */
export const rawRoutes: readonly RawRoute[] = [...notifyRoutes, ...accountCallbackRoutes, ...openRoutes]

export type RunningSocket = { route: SocketRoute; stop: () => void }

/** WebSockets of features; each lives in every process that answers calls. */
export const sockets: readonly ((services: Services, bus: Bus) => RunningSocket)[] = [startBoardPush]

/** What every process follows from its start on; each has read once before the process answers anybody. */
export const followers: readonly ((services: Services, bus: Bus) => Promise<{ stop: () => void }>)[] = [followWords]
