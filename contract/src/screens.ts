import type { Access } from './kernel/endpoint'
import { screen, type Screen } from './kernel/screen'

/**
 * Every screen of the product, keyed `group/code` (a code alone is not unique). Router, menus, breadcrumbs, the
 * permission tree, ⌘K and the crawl test come from here; titles are in screens/text, purposes in purposes/text.
 * A screen is `built` when it does its work; until then it says honestly what it will show.
 */
export const screens: readonly Screen[] = [
  // public
  screen('public/login', 'user', 'form', 'public', { built: true }),
  screen('public/loginAme', 'user', 'form', 'public', { built: true }),
  screen('public/ssologin', 'user', 'form', 'public', { built: true }),
  screen('public/databases', 'order', 'board', 'public', { built: true }),
  screen('public/databaseszd', 'order', 'board', 'public', { built: true }),
  screen('public/loginFr', 'user', 'form', 'public', { built: true }),
  screen('public/loginSrx', 'user', 'form', 'public', { built: true }),
  screen('public/loginSilent', 'user', 'form', 'public', { built: true }),
  screen('public/database', 'user', 'dashboard', 'session', { built: true }),
  // home
  screen('home/dashboard', 'machine', 'dashboard', 'session', { built: true }),
  screen('home/syzfqq', 'order', 'report', 'report.read', { built: true }),
  screen('home/syspxlpm', 'product', 'report', 'report.read', { built: true }),
  screen('home/syjqpm', 'machine', 'report', 'report.read', { built: true }),
  screen('home/syyyxlpm', 'user', 'report', 'report.read', { built: true }),
  // /shj
  screen('shj/wdshj', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/ztcx', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/jqbj', 'alarm', 'list', 'alarm.read', { built: true }),
  screen('shj/mbgl', 'template', 'list', 'template.read', { built: true }),
  screen('shj/shjMbadd', 'template', 'form', 'template.write', { built: true }),
  screen('shj/shjMbset', 'template', 'form', 'template.write', { built: true }),
  screen('shj/bywx', 'repairOrder', 'list', 'repairOrder.read', { built: true }),
  screen('shj/jqxppz', 'machine', 'form', 'machine.write', { built: true }),
  screen('shj/zdfx', 'machine', 'report', 'machine.read', { built: true }),
  screen('shj/dwgl', 'point', 'list', 'point.read', { built: true }),
  screen('shj/llk', 'flowCard', 'list', 'flowCard.read', { built: true }),
  screen('shj/yyztcx', 'hospital', 'list', 'hospital.read', { built: true }),
  screen('shj/qzsz', 'machineGroup', 'form', 'machineGroup.write', { built: true }),
  screen('shj/jqzc', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/jqcs', 'machine', 'form', 'machine.operate', { built: true }),
  screen('shj/hdgl', 'slot', 'form', 'slot.write', { built: true }),
  screen('shj/jqgzhsz', 'machine', 'form', 'machine.write', { built: true }),
  // /kcpd
  screen('kcpd/xlspkcpd', 'route', 'report', 'route.read'),
  screen('kcpd/jqspkcpd', 'machine', 'report', 'machine.read'),
  screen('kcpd/yyspkcpd', 'hospital', 'report', 'hospital.read'),
  screen('kcpd/jqhdkcpd', 'machine', 'form', 'machine.write'),
  screen('kcpd/jqqhbjsz', 'machine', 'form', 'machine.write', { built: true }),
  screen('kcpd/bhjl', 'replenishment', 'list', 'replenishment.read'),
  // /cfgl
  screen('cfgl/txgl', 'withdrawal', 'list', 'withdrawal.read'),
  screen('cfgl/jyjsmx', 'order', 'report', 'order.read'),
  screen('cfgl/sksz', 'paymentAccount', 'list', 'paymentAccount.read', { built: true }),
  screen('cfgl/wtddgl', 'order', 'list', 'order.read', { built: true }),
  screen('cfgl/shyecx', 'merchant', 'list', 'merchant.read'),
  screen('cfgl/shzftj', 'merchant', 'report', 'merchant.read'),
  screen('cfgl/fztj', 'splitRecord', 'report', 'splitRecord.read'),
  screen('cfgl/zshjy', 'merchant', 'list', 'merchant.read'),
  screen('cfgl/ptsxfsz', 'feeRule', 'form', 'feeRule.write'),
  screen('cfgl/yhfzsz', 'splitRule', 'form', 'splitRule.write'),
  // /jygl
  screen('jygl/tkgl', 'refund', 'list', 'refund.read', { built: true }),
  screen('jygl/ddgl', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/jqjymx', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/gk', 'order', 'dashboard', 'order.read', { built: true }),
  screen('jygl/jyhz', 'order', 'report', 'order.read', { built: true }),
  screen('jygl/qhmgl', 'pickupCode', 'list', 'pickupCode.read', { built: true }),
  screen('jygl/hgxq', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/zjtj', 'lotteryRecord', 'report', 'lotteryRecord.read', { built: true }),
  screen('jygl/hgsh', 'lotteryRecord', 'list', 'lotteryRecord.read', { built: true }),
  screen('jygl/cfcx', 'prescription', 'list', 'prescription.read', { built: true }),
  screen('jygl/cfxq', 'prescription', 'detail', 'prescription.read', { built: true }),
  screen('jygl/ycchjl', 'command', 'list', 'command.read', { built: true }),
  screen('jygl/cfxstj', 'prescription', 'report', 'prescription.read', { built: true }),
  screen('jygl/ddcx', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/sjhz', 'order', 'report', 'order.read', { built: true }),
  screen('jygl/chcx', 'shipResult', 'list', 'shipResult.read', { built: true }),
  screen('jygl/dsfchcx', 'shipResult', 'list', 'shipResult.read', { built: true }),
  screen('jygl/chmx', 'shipResult', 'list', 'shipResult.read', { built: true }),
  screen('jygl/sptj', 'product', 'report', 'product.read', { built: true }),
  screen('jygl/ypxstj', 'medicine', 'report', 'medicine.read', { built: true }),
  screen('jygl/ywlxtj', 'order', 'report', 'order.read', { built: true }),
  // /yxch
  screen('yxch/yxfagl', 'promotionPlan', 'list', 'promotionPlan.read'),
  screen('yxch/zkgl', 'discount', 'list', 'discount.read'),
  screen('yxch/yxjhgl', 'promotionPlan', 'list', 'promotionPlan.read'),
  screen('yxch/yhqgl', 'coupon', 'list', 'coupon.read'),
  screen('yxch/yhqmx', 'coupon', 'list', 'coupon.read'),
  screen('yxch/famc', 'promotionPlan', 'detail', 'promotionPlan.read'),
  screen('yxch/yhmmx', 'promotionCode', 'list', 'promotionCode.read'),
  screen('yxch/yhmgl', 'promotionCode', 'list', 'promotionCode.read'),
  screen('yxch/sptj', 'product', 'list', 'product.read'),
  screen('yxch/sptjxq', 'product', 'detail', 'product.read'),
  screen('yxch/jgtj', 'product', 'list', 'product.read'),
  screen('yxch/jgtjxq', 'product', 'detail', 'product.read'),
  screen('yxch/djyz', 'lotteryRecord', 'form', 'lotteryRecord.write'),
  screen('yxch/yhq', 'coupon', 'form', 'coupon.write'),
  // /jxcgl
  screen('jxcgl/wdgys', 'supplier', 'list', 'supplier.read'),
  screen('jxcgl/gysspsz', 'supplier', 'form', 'supplier.write'),
  screen('jxcgl/ccgl', 'warehouse', 'list', 'warehouse.read'),
  screen('jxcgl/cgjh', 'purchasePlan', 'list', 'purchasePlan.read'),
  screen('jxcgl/cgd', 'purchaseOrder', 'list', 'purchaseOrder.read'),
  screen('jxcgl/rkdj', 'goodsReceipt', 'form', 'goodsReceipt.write'),
  screen('jxcgl/sfk', 'supplierPayment', 'list', 'supplierPayment.read'),
  screen('jxcgl/chd', 'outboundOrder', 'list', 'outboundOrder.read'),
  screen('jxcgl/bs', 'writeOff', 'list', 'writeOff.read'),
  screen('jxcgl/bhd', 'replenishmentOrder', 'list', 'replenishmentOrder.read'),
  // /gggl
  screen('gggl/cgggl', 'advert', 'list', 'advert.read'),
  // /hygl
  screen('hygl/chygl', 'member', 'list', 'member.read'),
  screen('hygl/wdhy', 'member', 'list', 'member.read'),
  screen('hygl/wdhyk', 'memberCard', 'list', 'memberCard.read'),
  screen('hygl/czmx', 'cardTransaction', 'list', 'cardTransaction.read'),
  screen('hygl/kkmx', 'cardTransaction', 'list', 'cardTransaction.read'),
  screen('hygl/sqbk', 'cardApplication', 'list', 'cardApplication.read'),
  screen('hygl/yhsz', 'memberLevel', 'form', 'memberLevel.write'),
  screen('hygl/hykrz', 'cardLog', 'list', 'cardLog.read'),
  // /cwgl
  screen('cwgl/cwjs', 'settlement', 'list', 'settlement.read'),
  screen('cwgl/jyjs', 'order', 'list', 'order.read'),
  // /tjfx
  screen('tjfx/jqjytj', 'machine', 'report', 'report.read'),
  screen('tjfx/spjytj', 'product', 'report', 'report.read'),
  screen('tjfx/zfjstj', 'settlement', 'report', 'report.read'),
  screen('tjfx/bbdc', 'reportRequest', 'list', 'report.read', { built: true }),
  screen('tjfx/dwjytj', 'point', 'report', 'report.read'),
  screen('tjfx/shzftj', 'merchant', 'report', 'report.read'),
  screen('tjfx/cgtj', 'purchaseOrder', 'report', 'report.read'),
  screen('tjfx/yyjytj', 'hospital', 'report', 'report.read'),
  screen('tjfx/yhqtj', 'coupon', 'report', 'report.read'),
  // /shgl
  screen('shgl/shjqsq', 'merchant', 'form', 'merchant.authorise', { built: true }),
  screen('shgl/wdsh', 'merchant', 'list', 'merchant.read', { built: true }),
  screen('shgl/tdjqsq', 'user', 'form', 'user.authorise', { built: true }),
  screen('shgl/wdtd', 'user', 'list', 'user.read', { built: true }),
  screen('shgl/bjyh', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/xzyh', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/management', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/wdys', 'doctor', 'list', 'doctor.read', { built: true }),
  screen('shgl/kfdh', 'merchant', 'form', 'merchant.write', { built: true }),
  screen('shgl/zjgl', 'licence', 'list', 'licence.read', { built: true }),
  screen('shgl/yylb', 'hospital', 'list', 'hospital.read', { built: true }),
  screen('shgl/glwdhy', 'member', 'list', 'member.read', { built: true }),
  screen('shgl/shzhxx', 'bankAccount', 'list', 'bankAccount.read', { built: true }),
  // /spgl
  screen('spgl/wdsp', 'product', 'list', 'product.read'),
  screen('spgl/xzsp', 'product', 'form', 'product.write'),
  screen('spgl/ptspk', 'product', 'list', 'product.read'),
  screen('spgl/spxsph', 'product', 'report', 'product.read'),
  screen('spgl/spfl', 'category', 'list', 'category.read'),
  screen('spgl/ypgl', 'medicine', 'list', 'medicine.read'),
  // /ypgl
  screen('ypgl/yplb', 'medicine', 'list', 'medicine.read'),
  screen('ypgl/ydsp', 'medicine', 'list', 'medicine.read'),
  screen('ypgl/ypqx', 'batch', 'report', 'batch.read'),
  screen('ypgl/yppc', 'batch', 'list', 'batch.read'),
  screen('ypgl/ypyh', 'careRecord', 'list', 'careRecord.read'),
  screen('ypgl/ypzhfl', 'combinationCategory', 'list', 'combinationCategory.read'),
  screen('ypgl/ypzhlb', 'combination', 'list', 'combination.read'),
  screen('ypgl/zksp', 'discount', 'list', 'discount.read'),
  screen('ypgl/ypfl', 'category', 'list', 'category.read'),
  screen('ypgl/bqbkfl', 'conditionCategory', 'list', 'conditionCategory.read'),
  // /shkf
  screen('shkf/wtfk', 'feedback', 'list', 'feedback.read'),
  screen('shkf/cjwtgl', 'faq', 'list', 'faq.read'),
  screen('shkf/xzwt', 'faq', 'form', 'faq.write'),
  screen('shkf/jjfa', 'solution', 'list', 'solution.read'),
  screen('shkf/khfk', 'feedback', 'list', 'feedback.read'),
  // /xtgl
  screen('xtgl/zffwgl', 'paymentService', 'list', 'paymentService.read', { path: '/xtgl/zfsz/zffwgl', built: true }),
  screen('xtgl/fwscssz', 'paymentService', 'form', 'paymentService.write', { path: '/xtgl/zfsz/fwscssz', built: true }),
  screen('xtgl/shzhsz', 'paymentAccount', 'list', 'paymentAccount.read', { path: '/xtgl/zfsz/shzhsz', built: true }),
  screen('xtgl/rjs', 'settlement', 'list', 'settlement.read', { path: '/xtgl/zfsz/rjs', built: true }),
  screen('xtgl/zzgl', 'organisation', 'form', 'organisation.read', { path: '/xtgl/dagl/zzgl', built: true }),
  screen('xtgl/gngl', 'resource', 'list', 'resource.read', { path: '/xtgl/zygl/gngl', built: true }),
  screen('xtgl/cdgl', 'menu', 'form', 'menu.read', { path: '/xtgl/zygl/cdgl', built: true }),
  screen('xtgl/xzptzy', 'resource', 'form', 'resource.write', { path: '/xtgl/zygl/xzptzy', built: true }),
  screen('xtgl/bjptzy', 'resource', 'form', 'resource.write', { path: '/xtgl/zygl/bjptzy', built: true }),
  screen('xtgl/jsgl', 'role', 'list', 'role.read', { path: '/xtgl/cxtgl/jsgl', built: true }),
  screen('xtgl/xzjs', 'role', 'form', 'role.write', { path: '/xtgl/cxtgl/xzjs', built: true }),
  screen('xtgl/bjjs', 'role', 'form', 'role.write', { path: '/xtgl/cxtgl/bjjs', built: true }),
  screen('xtgl/jszyqx', 'role', 'form', 'role.read', { path: '/xtgl/cxtgl/jszyqx', built: true }),
  screen('xtgl/index', 'system', 'container', 'session', { built: true }),
  screen('xtgl/setpwd', 'user', 'form', 'session', { built: true }),
  screen('xtgl/rzgl', 'log', 'list', 'log.read', { built: true }),
  screen('xtgl/sjzd', 'dictionary', 'list', 'dictionary.read', { built: true }),
  screen('xtgl/xxtz', 'notification', 'list', 'notification.read', { built: true }),
  screen('xtgl/shsjzd', 'dictionary', 'list', 'dictionary.read', { built: true }),
  screen('xtgl/sz', 'setting', 'form', 'setting.write', { built: true }),
  screen('xtgl/yysz', 'languageEntry', 'list', 'languageEntry.read', { built: true }),
  screen('xtgl/xzxxtz', 'notification', 'form', 'notification.write', { built: true }),
  screen('xtgl/dsfdjpz', 'integrationConfig', 'list', 'integrationConfig.read', { built: true }),
  screen('xtgl/bjrz', 'alarmLog', 'list', 'alarmLog.read', { built: true }),
  screen('xtgl/xxlx', 'messageType', 'list', 'messageType.read', { built: true }),
  screen('xtgl/jxkp', 'user', 'report', 'user.read', { built: true }),
  screen('xtgl/xtbjjl', 'systemAlarm', 'list', 'systemAlarm.read', { built: true }),
  screen('xtgl/tssz', 'pushSetting', 'form', 'pushSetting.read', { built: true }),
  screen('xtgl/xxts', 'pushMessage', 'list', 'pushMessage.read', { built: true }),
]

/** Menu groups in the order of the menu; each redirects to its first child (specification 2.5). */
export const groups = {
  shj: 'shj/wdshj',
  kcpd: 'kcpd/xlspkcpd',
  cfgl: 'cfgl/txgl',
  jygl: 'jygl/tkgl',
  yxch: 'yxch/zkgl',
  jxcgl: 'jxcgl/wdgys',
  gggl: 'gggl/cgggl',
  hygl: 'hygl/wdhy',
  cwgl: 'cwgl/cwjs',
  tjfx: 'tjfx/jqjytj',
  shgl: 'shgl/shjqsq',
  spgl: 'spgl/wdsp',
  ypgl: 'ypgl/yplb',
  shkf: 'shkf/wtfk',
  xtgl: 'xtgl/zffwgl',
} as const
export type Group = keyof typeof groups

/** Paths between a group and its screens (specification 2.5, /xtgl), each with its first screen. */
export const sections: ReadonlyMap<string, Screen> = new Map(
  screens
    .filter(({ path }) => path.split('/').length === 4)
    .reverse()
    .map((each) => [each.path.slice(0, each.path.lastIndexOf('/')), each]),
)

const byKey = new Map(screens.map((each) => [each.key, each]))
const byPath = new Map(screens.map((each) => [each.path, each]))

/** @throws RangeError for a key that no screen has: a typing mistake, not a user's. */
export function screenOf(key: string): Screen {
  const found = byKey.get(key)
  if (!found) throw new RangeError(`no screen ${key}`)
  return found
}
export const screenAt = (path: string): Screen | undefined => byPath.get(path)

/** Permissions that only screens name so far, with those of endpoints the full list a role may be given. */
export const screenAccesses = (): Access[] => [...new Set(screens.map((each) => each.access))]
