import type { Endpoint } from '../kernel/endpoint'

/**
 * What only a person may do, whatever a program's key holds: where somebody has to stand behind it with their name,
 * where a second pair of eyes is the point, where money or secrets leave, and who may what. No key is given these.
 */
const permissions = `
  user.write user.authorise role.write role.viewAs merchant.authorise merchant.stop doctor.write
  resource.write menu.write setting.write agreement.write agreement.publish
  apiKey.write displayKey.write integrationConfig.secret machine.secret pushProvider.write
  paymentService.secret paymentService.write paymentAccount.write paymentAccount.publish
  bankAccount.write bankAccount.review bankAccount.reveal prescription.reveal pickupCode.reveal
  withdrawal.write withdrawal.review withdrawal.connect supplierPayment.write supplierPayment.approve
  settlement.write settlement.confirm settlement.approve splitRule.write splitRecord.approve
  refund.approve refund.payBack order.settle memberCard.topUp memberCard.cancel memberCard.payBack
  cardApplication.review lotteryRecord.claim lotteryRecord.review purchaseOrder.approve advert.review library.review
  prescription.write prescription.review prescription.cancel careRecord.write machine.sign
  batch.release batch.scrap recall.start recall.pull recall.close member.erase command.operate
  stockCount.write stockCount.post writeOff.write cashCollection.write cashCollection.count cashCollection.decide`

/** The same of single calls, whose permission opens others that a program may make. */
const calls = `
  merchant.createMerchant medicine.putTraceAccount fleet.makeAccountToken
  purchase.acceptGoodsReceipt purchase.reverseGoodsReceipt purchase.turnDownGoodsReceipt
  purchase.putSupplierAccount purchase.approveSupplier purchase.rejectSupplier
  support.refundCustomerCase promotion.revealCoupon promotion.releaseCoupons promotion.revealCode promotion.releaseCodes
  report.requestReport report.keepReport report.editKeptReport report.removeKeptReport report.resumeKeptReport
  report.runKeptReport report.stopKeptReport report.takeOverKeptReport`

/** Any signed-in person may make these calls, and so may any key: they are about no person's own matters. */
const everybodys = `
  merchant.listMerchants system.listDictionaryOptions system.uploadPicture support.listHelp support.listHelpCount
  report.getCompleteness`

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
export const peoplesPermissions = wordsOf(permissions)
export const peoplesCalls = wordsOf(calls)
export const everybodysCalls = wordsOf(everybodys)

/** Whether keys of programs may make the call at all; their scopes are asked for beside. */
export function isOpenToKeys({ access, name }: Pick<Endpoint, 'access' | 'name'>): boolean {
  if (access === 'session') return everybodysCalls.has(name)
  return !peoplesPermissions.has(access) && !peoplesCalls.has(name)
}
