import type { Screen } from './kernel/screen'
import { advert } from './advert/screens'
import { alarm } from './alarm/screens'
import { audit } from './audit/screens'
import { catalog } from './catalog/screens'
import { counting } from './counting/screens'
import { device } from './device/screens'
import { events } from './events/screens'
import { field } from './field/screens'
import { fleet } from './fleet/screens'
import { funds } from './funds/screens'
import { home } from './home/screens'
import { identity } from './identity/screens'
import { lottery } from './lottery/screens'
import { maintenance } from './maintenance/screens'
import { medicine } from './medicine/screens'
import { member } from './member/screens'
import { merchant } from './merchant/screens'
import { notice } from './notice/screens'
import { partner } from './partner/screens'
import { payment } from './payment/screens'
import { people } from './people/screens'
import { pharmacy } from './pharmacy/screens'
import { pickup } from './pickup/screens'
import { advice } from './advice/screens'
import { planogram } from './planogram/screens'
import { promotion } from './promotion/screens'
import { purchase } from './purchase/screens'
import { refund } from './refund/screens'
import { report } from './report/screens'
import { rights } from './rights/screens'
import { settlement } from './settlement/screens'
import { sight } from './sight/screens'
import { stock } from './stock/screens'
import { support } from './support/screens'
import { system } from './system/screens'
import { trade } from './trade/screens'
import { wallboard } from './wallboard/screens'

const declared = new Map(
  [
    ...identity,
    ...wallboard,
    ...system,
    ...home,
    ...report,
    ...fleet,
    ...alarm,
    ...planogram,
    ...advice,
    ...maintenance,
    ...device,
    ...counting,
    ...field,
    ...funds,
    ...settlement,
    ...payment,
    ...refund,
    ...trade,
    ...pickup,
    ...lottery,
    ...pharmacy,
    ...partner,
    ...promotion,
    ...purchase,
    ...stock,
    ...advert,
    ...member,
    ...sight,
    ...merchant,
    ...events,
    ...people,
    ...catalog,
    ...medicine,
    ...support,
    ...rights,
    ...audit,
    ...notice,
  ].map((each) => [each.key, each]),
)

/** Codes of each group in the order of the menu (specification 2.5). */
const menu = {
  public: 'login loginAme ssologin databases databaseszd loginFr loginSrx loginSilent database',
  home: 'dashboard syzfqq syspxlpm syjqpm syyyxlpm',
  shj: 'wdshj ztcx jqbj mbgl shjMbadd shjMbset bywx jqxppz zdfx dwgl llk yyztcx qzsz jqzc jqcs hdgl jqgzhsz',
  kcpd: 'xlspkcpd jqspkcpd yyspkcpd jqhdkcpd jqqhbjsz bhjl',
  cfgl: 'txgl jyjsmx sksz wtddgl shyecx shzftj fztj zshjy ptsxfsz yhfzsz xjqd',
  jygl:
    'tkgl ddgl jqjymx gk jyhz qhmgl hgxq zjtj hgsh cfcx cfxq ycchjl cfxstj ddcx sjhz chcx dsfchcx chmx sptj ' +
    'ypxstj ywlxtj',
  yxch: 'yxfagl zkgl yxjhgl yhqgl yhqmx famc yhmmx yhmgl sptj sptjxq jgtj jgtjxq djyz yhq',
  jxcgl: 'wdgys gysspsz ccgl cgjh cgd rkdj sfk chd bs bhd',
  gggl: 'cgggl',
  hygl: 'chygl wdhy wdhyk czmx kkmx sqbk yhsz hykrz',
  cwgl: 'cwjs jyjs',
  tjfx: 'jqjytj spjytj zfjstj bbdc dwjytj shzftj cgtj yyjytj yhqtj',
  shgl: 'shjqsq wdsh tdjqsq wdtd bjyh xzyh management wdys kfdh zjgl yylb glwdhy shzhxx',
  spgl: 'wdsp xzsp ptspk spxsph spfl ypgl',
  ypgl: 'yplb ydsp ypqx yppc ypyh ypzhfl ypzhlb zksp ypfl bqbkfl',
  shkf: 'wtfk cjwtgl xzwt jjfa khfk',
  xtgl:
    'zffwgl fwscssz shzhsz rjs zzgl gngl cdgl xzptzy bjptzy jsgl xzjs bjjs jszyqx index setpwd rzgl sjzd xxtz ' +
    'shsjzd sz yysz xzxxtz dsfdjpz kfmy sjts bjrz xxlx jxkp xtbjjl tssz xxts',
}

/**
 * Every screen of the product, keyed `group/code` (a code alone is not unique), as the `screens.ts` of its domain
 * declares it. Router, menus, breadcrumbs, the permission tree, ⌘K and the crawl test come from here; titles are in
 * screens/text, purposes in purposes/text. A screen is `built` when it does its work; until then it says honestly what
 * it will show.
 */
export const screens: readonly Screen[] = Object.entries(menu).flatMap(([group, codes]) =>
  codes.split(' ').map((code) => found(`${group}/${code}`, declared)),
)

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

const byPath = new Map(screens.map((each) => [each.path, each]))

/** @throws RangeError for a key that no screen has: a typing mistake, not a user's. */
export const screenOf = (key: string): Screen => found(key, declared)

function found(key: string, among: ReadonlyMap<string, Screen>): Screen {
  const screen = among.get(key)
  if (!screen) throw new RangeError(`no screen ${key}`)
  return screen
}
export const screenAt = (path: string): Screen | undefined => byPath.get(path)
