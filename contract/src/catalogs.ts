import adminEn from './admin/text/en.json' with { type: 'json' }
import adminFr from './admin/text/fr.json' with { type: 'json' }
import adminKo from './admin/text/ko.json' with { type: 'json' }
import adminZh from './admin/text/zh.json' with { type: 'json' }
import advertEn from './advert/text/en.json' with { type: 'json' }
import advertFr from './advert/text/fr.json' with { type: 'json' }
import advertKo from './advert/text/ko.json' with { type: 'json' }
import advertZh from './advert/text/zh.json' with { type: 'json' }
import alarmEn from './alarm/text/en.json' with { type: 'json' }
import alarmFr from './alarm/text/fr.json' with { type: 'json' }
import alarmKo from './alarm/text/ko.json' with { type: 'json' }
import alarmZh from './alarm/text/zh.json' with { type: 'json' }
import auditEn from './audit/text/en.json' with { type: 'json' }
import auditFr from './audit/text/fr.json' with { type: 'json' }
import auditKo from './audit/text/ko.json' with { type: 'json' }
import auditZh from './audit/text/zh.json' with { type: 'json' }
import catalogEn from './catalog/text/en.json' with { type: 'json' }
import catalogFr from './catalog/text/fr.json' with { type: 'json' }
import catalogKo from './catalog/text/ko.json' with { type: 'json' }
import catalogZh from './catalog/text/zh.json' with { type: 'json' }
import countingEn from './counting/text/en.json' with { type: 'json' }
import countingFr from './counting/text/fr.json' with { type: 'json' }
import countingKo from './counting/text/ko.json' with { type: 'json' }
import countingZh from './counting/text/zh.json' with { type: 'json' }
import deviceEn from './device/text/en.json' with { type: 'json' }
import deviceFr from './device/text/fr.json' with { type: 'json' }
import deviceKo from './device/text/ko.json' with { type: 'json' }
import deviceZh from './device/text/zh.json' with { type: 'json' }
import fleetEn from './fleet/text/en.json' with { type: 'json' }
import fleetFr from './fleet/text/fr.json' with { type: 'json' }
import fleetKo from './fleet/text/ko.json' with { type: 'json' }
import fleetZh from './fleet/text/zh.json' with { type: 'json' }
import fundsEn from './funds/text/en.json' with { type: 'json' }
import homeEn from './home/text/en.json' with { type: 'json' }
import fundsFr from './funds/text/fr.json' with { type: 'json' }
import homeFr from './home/text/fr.json' with { type: 'json' }
import fundsKo from './funds/text/ko.json' with { type: 'json' }
import homeKo from './home/text/ko.json' with { type: 'json' }
import fundsZh from './funds/text/zh.json' with { type: 'json' }
import homeZh from './home/text/zh.json' with { type: 'json' }
import identityEn from './identity/text/en.json' with { type: 'json' }
import identityFr from './identity/text/fr.json' with { type: 'json' }
import identityKo from './identity/text/ko.json' with { type: 'json' }
import identityZh from './identity/text/zh.json' with { type: 'json' }
import kernelEn from './kernel/text/en.json' with { type: 'json' }
import kernelFr from './kernel/text/fr.json' with { type: 'json' }
import kernelKo from './kernel/text/ko.json' with { type: 'json' }
import kernelZh from './kernel/text/zh.json' with { type: 'json' }
import lotteryEn from './lottery/text/en.json' with { type: 'json' }
import lotteryFr from './lottery/text/fr.json' with { type: 'json' }
import lotteryKo from './lottery/text/ko.json' with { type: 'json' }
import lotteryZh from './lottery/text/zh.json' with { type: 'json' }
import maintenanceEn from './maintenance/text/en.json' with { type: 'json' }
import maintenanceFr from './maintenance/text/fr.json' with { type: 'json' }
import maintenanceKo from './maintenance/text/ko.json' with { type: 'json' }
import maintenanceZh from './maintenance/text/zh.json' with { type: 'json' }
import medicineEn from './medicine/text/en.json' with { type: 'json' }
import medicineFr from './medicine/text/fr.json' with { type: 'json' }
import medicineKo from './medicine/text/ko.json' with { type: 'json' }
import medicineZh from './medicine/text/zh.json' with { type: 'json' }
import memberEn from './member/text/en.json' with { type: 'json' }
import memberFr from './member/text/fr.json' with { type: 'json' }
import memberKo from './member/text/ko.json' with { type: 'json' }
import memberZh from './member/text/zh.json' with { type: 'json' }
import merchantEn from './merchant/text/en.json' with { type: 'json' }
import merchantFr from './merchant/text/fr.json' with { type: 'json' }
import merchantKo from './merchant/text/ko.json' with { type: 'json' }
import merchantZh from './merchant/text/zh.json' with { type: 'json' }
import noticeEn from './notice/text/en.json' with { type: 'json' }
import noticeFr from './notice/text/fr.json' with { type: 'json' }
import noticeKo from './notice/text/ko.json' with { type: 'json' }
import noticeZh from './notice/text/zh.json' with { type: 'json' }
import partnerEn from './partner/text/en.json' with { type: 'json' }
import partnerFr from './partner/text/fr.json' with { type: 'json' }
import partnerKo from './partner/text/ko.json' with { type: 'json' }
import partnerZh from './partner/text/zh.json' with { type: 'json' }
import paymentEn from './payment/text/en.json' with { type: 'json' }
import paymentFr from './payment/text/fr.json' with { type: 'json' }
import paymentKo from './payment/text/ko.json' with { type: 'json' }
import paymentZh from './payment/text/zh.json' with { type: 'json' }
import peopleEn from './people/text/en.json' with { type: 'json' }
import peopleFr from './people/text/fr.json' with { type: 'json' }
import peopleKo from './people/text/ko.json' with { type: 'json' }
import peopleZh from './people/text/zh.json' with { type: 'json' }
import pharmacyEn from './pharmacy/text/en.json' with { type: 'json' }
import pharmacyFr from './pharmacy/text/fr.json' with { type: 'json' }
import pharmacyKo from './pharmacy/text/ko.json' with { type: 'json' }
import pharmacyZh from './pharmacy/text/zh.json' with { type: 'json' }
import pickupEn from './pickup/text/en.json' with { type: 'json' }
import pickupFr from './pickup/text/fr.json' with { type: 'json' }
import pickupKo from './pickup/text/ko.json' with { type: 'json' }
import pickupZh from './pickup/text/zh.json' with { type: 'json' }
import adviceEn from './advice/text/en.json' with { type: 'json' }
import planogramEn from './planogram/text/en.json' with { type: 'json' }
import adviceFr from './advice/text/fr.json' with { type: 'json' }
import planogramFr from './planogram/text/fr.json' with { type: 'json' }
import adviceKo from './advice/text/ko.json' with { type: 'json' }
import planogramKo from './planogram/text/ko.json' with { type: 'json' }
import adviceZh from './advice/text/zh.json' with { type: 'json' }
import planogramZh from './planogram/text/zh.json' with { type: 'json' }
import promotionEn from './promotion/text/en.json' with { type: 'json' }
import promotionFr from './promotion/text/fr.json' with { type: 'json' }
import promotionKo from './promotion/text/ko.json' with { type: 'json' }
import promotionZh from './promotion/text/zh.json' with { type: 'json' }
import eventsEn from './events/text/en.json' with { type: 'json' }
import eventsFr from './events/text/fr.json' with { type: 'json' }
import eventsKo from './events/text/ko.json' with { type: 'json' }
import eventsZh from './events/text/zh.json' with { type: 'json' }
import fieldEn from './field/text/en.json' with { type: 'json' }
import purchaseEn from './purchase/text/en.json' with { type: 'json' }
import purposesEn from './purposes/text/en.json' with { type: 'json' }
import fieldFr from './field/text/fr.json' with { type: 'json' }
import purchaseFr from './purchase/text/fr.json' with { type: 'json' }
import purposesFr from './purposes/text/fr.json' with { type: 'json' }
import fieldKo from './field/text/ko.json' with { type: 'json' }
import purchaseKo from './purchase/text/ko.json' with { type: 'json' }
import purposesKo from './purposes/text/ko.json' with { type: 'json' }
import fieldZh from './field/text/zh.json' with { type: 'json' }
import purchaseZh from './purchase/text/zh.json' with { type: 'json' }
import purposesZh from './purposes/text/zh.json' with { type: 'json' }
import refundEn from './refund/text/en.json' with { type: 'json' }
import refundFr from './refund/text/fr.json' with { type: 'json' }
import refundKo from './refund/text/ko.json' with { type: 'json' }
import refundZh from './refund/text/zh.json' with { type: 'json' }
import reportEn from './report/text/en.json' with { type: 'json' }
import reportFr from './report/text/fr.json' with { type: 'json' }
import reportKo from './report/text/ko.json' with { type: 'json' }
import reportZh from './report/text/zh.json' with { type: 'json' }
import rightsEn from './rights/text/en.json' with { type: 'json' }
import rightsFr from './rights/text/fr.json' with { type: 'json' }
import rightsKo from './rights/text/ko.json' with { type: 'json' }
import rightsZh from './rights/text/zh.json' with { type: 'json' }
import screensEn from './screens/text/en.json' with { type: 'json' }
import screensFr from './screens/text/fr.json' with { type: 'json' }
import screensKo from './screens/text/ko.json' with { type: 'json' }
import screensZh from './screens/text/zh.json' with { type: 'json' }
import settlementEn from './settlement/text/en.json' with { type: 'json' }
import settlementFr from './settlement/text/fr.json' with { type: 'json' }
import settlementKo from './settlement/text/ko.json' with { type: 'json' }
import settlementZh from './settlement/text/zh.json' with { type: 'json' }
import sightEn from './sight/text/en.json' with { type: 'json' }
import sightFr from './sight/text/fr.json' with { type: 'json' }
import sightKo from './sight/text/ko.json' with { type: 'json' }
import sightZh from './sight/text/zh.json' with { type: 'json' }
import stockEn from './stock/text/en.json' with { type: 'json' }
import stockFr from './stock/text/fr.json' with { type: 'json' }
import stockKo from './stock/text/ko.json' with { type: 'json' }
import stockZh from './stock/text/zh.json' with { type: 'json' }
import supportEn from './support/text/en.json' with { type: 'json' }
import supportFr from './support/text/fr.json' with { type: 'json' }
import supportKo from './support/text/ko.json' with { type: 'json' }
import supportZh from './support/text/zh.json' with { type: 'json' }
import systemEn from './system/text/en.json' with { type: 'json' }
import systemFr from './system/text/fr.json' with { type: 'json' }
import systemKo from './system/text/ko.json' with { type: 'json' }
import systemZh from './system/text/zh.json' with { type: 'json' }
import tradeEn from './trade/text/en.json' with { type: 'json' }
import tradeFr from './trade/text/fr.json' with { type: 'json' }
import tradeKo from './trade/text/ko.json' with { type: 'json' }
import tradeZh from './trade/text/zh.json' with { type: 'json' }
import wallboardEn from './wallboard/text/en.json' with { type: 'json' }
import wallboardFr from './wallboard/text/fr.json' with { type: 'json' }
import wallboardKo from './wallboard/text/ko.json' with { type: 'json' }
import wallboardZh from './wallboard/text/zh.json' with { type: 'json' }

/** Every text of the product, for the server's own words and for tests; the web loads catalogs on demand instead. */
export const catalogs = {
  zh: {
    kernel: kernelZh,
    admin: adminZh,
    funds: fundsZh,
    home: homeZh,
    identity: identityZh,
    merchant: merchantZh,
    partner: partnerZh,
    payment: paymentZh,
    catalog: catalogZh,
    medicine: medicineZh,
    promotion: promotionZh,
    stock: stockZh,
    counting: countingZh,
    fleet: fleetZh,
    trade: tradeZh,
    device: deviceZh,
    advert: advertZh,
    alarm: alarmZh,
    pickup: pickupZh,
    planogram: planogramZh,
    advice: adviceZh,
    lottery: lotteryZh,
    maintenance: maintenanceZh,
    wallboard: wallboardZh,
    rights: rightsZh,
    people: peopleZh,
    pharmacy: pharmacyZh,
    settlement: settlementZh,
    sight: sightZh,
    audit: auditZh,
    notice: noticeZh,
    refund: refundZh,
    report: reportZh,
    support: supportZh,
    member: memberZh,
    system: systemZh,
    screens: screensZh,
    events: eventsZh,
    field: fieldZh,
    purchase: purchaseZh,
    purposes: purposesZh,
  },
  en: {
    kernel: kernelEn,
    admin: adminEn,
    funds: fundsEn,
    home: homeEn,
    identity: identityEn,
    merchant: merchantEn,
    partner: partnerEn,
    payment: paymentEn,
    catalog: catalogEn,
    medicine: medicineEn,
    promotion: promotionEn,
    stock: stockEn,
    counting: countingEn,
    fleet: fleetEn,
    trade: tradeEn,
    device: deviceEn,
    advert: advertEn,
    alarm: alarmEn,
    pickup: pickupEn,
    planogram: planogramEn,
    advice: adviceEn,
    lottery: lotteryEn,
    maintenance: maintenanceEn,
    wallboard: wallboardEn,
    rights: rightsEn,
    people: peopleEn,
    pharmacy: pharmacyEn,
    settlement: settlementEn,
    sight: sightEn,
    audit: auditEn,
    notice: noticeEn,
    refund: refundEn,
    report: reportEn,
    support: supportEn,
    member: memberEn,
    system: systemEn,
    screens: screensEn,
    events: eventsEn,
    field: fieldEn,
    purchase: purchaseEn,
    purposes: purposesEn,
  },
  fr: {
    kernel: kernelFr,
    admin: adminFr,
    funds: fundsFr,
    home: homeFr,
    identity: identityFr,
    merchant: merchantFr,
    partner: partnerFr,
    payment: paymentFr,
    catalog: catalogFr,
    medicine: medicineFr,
    promotion: promotionFr,
    stock: stockFr,
    counting: countingFr,
    fleet: fleetFr,
    trade: tradeFr,
    device: deviceFr,
    advert: advertFr,
    alarm: alarmFr,
    pickup: pickupFr,
    planogram: planogramFr,
    advice: adviceFr,
    lottery: lotteryFr,
    maintenance: maintenanceFr,
    wallboard: wallboardFr,
    rights: rightsFr,
    people: peopleFr,
    pharmacy: pharmacyFr,
    settlement: settlementFr,
    sight: sightFr,
    audit: auditFr,
    notice: noticeFr,
    refund: refundFr,
    report: reportFr,
    support: supportFr,
    member: memberFr,
    system: systemFr,
    screens: screensFr,
    events: eventsFr,
    field: fieldFr,
    purchase: purchaseFr,
    purposes: purposesFr,
  },
  ko: {
    kernel: kernelKo,
    admin: adminKo,
    funds: fundsKo,
    home: homeKo,
    identity: identityKo,
    merchant: merchantKo,
    partner: partnerKo,
    payment: paymentKo,
    catalog: catalogKo,
    medicine: medicineKo,
    promotion: promotionKo,
    stock: stockKo,
    counting: countingKo,
    fleet: fleetKo,
    trade: tradeKo,
    device: deviceKo,
    advert: advertKo,
    alarm: alarmKo,
    pickup: pickupKo,
    planogram: planogramKo,
    advice: adviceKo,
    lottery: lotteryKo,
    maintenance: maintenanceKo,
    wallboard: wallboardKo,
    rights: rightsKo,
    people: peopleKo,
    pharmacy: pharmacyKo,
    settlement: settlementKo,
    sight: sightKo,
    audit: auditKo,
    notice: noticeKo,
    refund: refundKo,
    report: reportKo,
    support: supportKo,
    member: memberKo,
    system: systemKo,
    screens: screensKo,
    events: eventsKo,
    field: fieldKo,
    purchase: purchaseKo,
    purposes: purposesKo,
  },
} as const
