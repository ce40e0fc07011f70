import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { z } from 'zod'
import type { Relation } from './fixtures'

/** Who asks; all but the platform's are of the family's own merchant, and each role grants everything. */
export const askers = [
  'platform',
  'merchant',
  'ordinary',
  'doctor',
  'disabled',
  'otherRole',
  'viewing',
  'nobody',
] as const
export type Asker = (typeof askers)[number]

/**
 * What decides whether a row is in sight: the machine or merchant that it hangs on (for some also a merchant above, who
 * made it for all below), the platform's alone, its own user's alone, or everybody's to see.
 */
type Hangs = 'machine' | 'merchant' | 'merchantOrAbove' | 'platform' | 'user' | 'everybody'

/** Each noun of `/api/<nouns>/{id}`; one that is missing here fails the matrix. */
export const hangsOn: Record<string, Hangs> = {
  machines: 'machine',
  templates: 'merchant',
  orders: 'machine',
  refunds: 'machine',
  problems: 'machine',
  'unclaimed-payments': 'merchant',
  plays: 'machine',
  'prize-claims': 'machine',
  'pickup-codes': 'merchant',
  'pickup-batches': 'merchant',
  'partner-shipments': 'machine',
  alarms: 'machine',
  'repair-orders': 'machine',
  'repair-plans': 'machine',
  'machine-commands': 'machine',
  'command-batches': 'machine',
  'machine-tests': 'machine',
  'remote-ships': 'machine',
  'app-packages': 'merchant',
  rollouts: 'merchant',
  'stock-alarm-rules': 'merchant',
  points: 'merchant',
  merchants: 'merchant',
  licences: 'merchant',
  'bank-accounts': 'merchant',
  integrations: 'machine',
  'payment-services': 'platform',
  'provider-accounts': 'merchant',
  'payment-accounts': 'merchant',
  collections: 'machine',
  'settlement-runs': 'merchant',
  'settlement-differences': 'merchant',
  payouts: 'merchant',
  settlements: 'merchant',
  'fee-rules': 'merchantOrAbove',
  'ledger-accounts': 'merchant',
  'book-days': 'everybody',
  organisations: 'merchant',
  users: 'merchant',
  doctors: 'merchant',
  prescriptions: 'merchant',
  roles: 'merchant',
  hospitals: 'merchant',
  areas: 'merchant',
  districts: 'merchant',
  routes: 'merchant',
  'machine-groups': 'merchant',
  'flow-cards': 'merchant',
  assortments: 'merchant',
  'official-accounts': 'merchant',
  members: 'merchant',
  'member-cards': 'merchant',
  logs: 'merchant',
  'grant-logs': 'merchant',
  'dictionary-items': 'merchantOrAbove',
  notifications: 'merchant',
  'push-messages': 'merchant',
  'alarm-log': 'merchant',
  'report-requests': 'user',
  'display-keys': 'merchant',
  resources: 'platform',
  'system-alarms': 'platform',
  'dictionary-types': 'platform',
  'language-entries': 'platform',
  'message-types': 'platform',
  agreements: 'platform',
}

/** Fields of an input that name a row, by the noun of that row; null for those that only look like it. */
export const fieldNouns: Record<string, string | null> = {
  merchantId: 'merchants',
  sellerId: 'merchants',
  fromMerchantId: 'merchants',
  ownerId: 'merchants',
  organisationId: 'organisations',
  organisationIds: 'organisations',
  parentId: 'organisations',
  'merchant.createMerchant.parentId': 'merchants',
  'merchant.moveMerchant.parentId': 'merchants',
  userId: 'users',
  userIds: 'users',
  roleId: 'roles',
  roleIds: 'roles',
  hospitalId: 'hospitals',
  doctorId: 'doctors',
  // Of the merchant that the doctor writes for; refused where it is none of its hospitals (pharmacy.test.ts asks).
  'pharmacy.writePrescription.hospitalId': null,
  'pharmacy.editPrescription.hospitalId': null,
  // An order that holds nothing of the prescription is as good as none.
  'pharmacy.releasePrescription.orderId': null,
  'pharmacy.listPrescriptions.productId': null,
  'pharmacy.listPrescriptionSales.productId': null,
  areaId: 'areas',
  routeId: 'routes',
  districtId: 'districts',
  groupId: 'machine-groups',
  groupIds: 'machine-groups',
  'fleet.setStops.ids': 'machines',
  'fleet.setFlowLimit.ids': 'flow-cards',
  // Products hang on a merchant; the family's have no nouns of their own (fleet/assortment.test.ts asks).
  productIds: null,
  'fleet.addOfficialAccount.appId': null,
  'payment.addProviderAccount.appId': null,
  'payment.editProviderAccount.appId': null,
  // Asked of the merchant that is to collect, who may stand below the account's (payment/account.test.ts).
  'payment.addPaymentAccount.providerAccountId': null,
  'settlement.listDifferences.runId': 'settlement-runs',
  'settlement.listPayouts.id': 'payouts',
  machineId: 'machines',
  machineIds: 'machines',
  pointId: 'points',
  assigneeId: 'users',
  alarmId: 'alarms',
  'alarm.acknowledgeAlarms.ids': 'alarms',
  'alarm.assignAlarms.ids': 'alarms',
  'alarm.closeAlarms.ids': 'alarms',
  'alarm.previewStockRule.id': 'stock-alarm-rules',
  'member.linkMembers.ids': 'members',
  'member.listMembers.notOf': 'merchants',
  'member.unlinkMembers.ids': 'members',
  'member.moveMembers.ids': 'members',
  'fleet.bindMachines.ids': 'machines',
  'fleet.copySettings.ids': 'machines',
  'device.sendToMachines.ids': 'machines',
  batchId: 'command-batches',
  packageId: 'app-packages',
  // Of a merchant's stock, asked for with the claim's own merchant (lottery/claim.test.ts).
  placeId: null,
  productId: null,
  memberId: 'members',
  'pickup.listPickupCodes.batchId': 'pickup-batches',
  'pickup.addBatch.pointIds': 'points',
  'pickup.previewBatch.pointIds': 'points',
  // The caller's own, kept apart by the caller's id (pickup/people.test.ts).
  releaseId: null,
  // The machine's name for a command, in answers only.
  cmdId: null,
  fromId: 'machines',
  copyFromId: 'machines',
  operatorId: 'organisations',
  settlementId: 'settlements',
  deployerId: 'users',
  typeId: 'message-types',
  // Asked of the merchant that the doctor is added to, which the matrix does not name (people/doctor.test.ts does).
  'people.addDoctor.hospitalId': null,
  // The caller's own, kept apart by the caller's id.
  mutedTypeIds: null,
  'notice.readMessages.ids': null,
  'identity.endOwnSession.id': null,
  // Only the parent's are taken, and whoever sees the merchant may (planogram/template.test.ts).
  'planogram.importTemplates.templateIds': null,
  // Not of a row of ours, or of any.
  clientId: null,
  'audit.listLogs.objectId': null,
  'wallboard.doRegisterClient.userId': null,
}

/** Operations that are the platform's, whatever permission somebody else was given; and how they say so. */
export const platformsAlone: Record<string, 'request.notPermitted' | 'request.notFound'> = {
  'identity.getSsoProvider': 'request.notPermitted',
  'identity.saveSsoProvider': 'request.notPermitted',
  'system.listLanguageEntries': 'request.notPermitted',
  'system.exportLanguageEntries': 'request.notPermitted',
  'system.previewLanguageImport': 'request.notPermitted',
  'system.importLanguageEntries': 'request.notPermitted',
  'system.listAgreements': 'request.notPermitted',
  'system.createAgreement': 'request.notPermitted',
  'settlement.previewFeeRule': 'request.notPermitted',
  'settlement.addFeeRule': 'request.notPermitted',
  'settlement.endFeeRule': 'request.notFound',
  'settlement.takeBackFeeRule': 'request.notFound',
  'notice.addMessageType': 'request.notFound',
  'notice.listProviders': 'request.notFound',
  'notice.saveProvider': 'request.notFound',
  'notice.testProvider': 'request.notFound',
}

/** Verbs of a merchant as a whole: whoever sees only some of its machines does not turn them, whatever their role. */
export const administratorsAlone: ReadonlySet<string> = new Set([
  'merchant.createMerchant',
  'merchant.editMerchant',
  'merchant.stopMerchant',
  'merchant.resumeMerchant',
  'merchant.moveMerchant',
  'merchant.deleteMerchant',
  'merchant.setServicePhone',
])

/** What stands beside the row in an input, where a made-up value would be refused before the row is looked at. */
const allOfNone = { machines: { filter: {}, count: 1_000_000 } }
const aSlot = { capacity: 1, alarmThreshold: 1, choice: 'none', isLocked: false }
const aTemplateSlot = { layer: 1, position: 1, productId: null, priceFen: null, capacity: 1, alarmThreshold: 1 }
export const given: Record<string, Record<string, unknown>> = {
  'pickup.addBatch': { content: 'AA', quantity: 1, scope: 'machines', machineIds: [1] },
  'pickup.previewBatch': { content: 'AA', quantity: 1, scope: 'machines', machineIds: [1] },
  'pickup.releaseCodes': { use: 'print', fromSerial: 1, toSerial: 1 },
  'pharmacy.approvePrescription': { contentHash: '0'.repeat(64) },
  'pharmacy.rejectPrescription': { contentHash: '0'.repeat(64) },
  'system.createDictionaryItem': { type: 'merchantTag' },
  'device.sendBatch': allOfNone,
  'fleet.addMembers': allOfNone,
  'fleet.dropMembers': allOfNone,
  'sight.grantToMerchant': allOfNone,
  'sight.grantToOrganisation': allOfNone,
  'sight.grantToUser': allOfNone,
  'sight.revokeFromMerchant': allOfNone,
  'sight.revokeFromOrganisation': allOfNone,
  'sight.revokeFromUser': allOfNone,
  'planogram.saveSlots': { slots: [{ code: 'A1', version: 0, productId: null, priceFen: null, ...aSlot }] },
  'planogram.countSlots': { counts: [{ code: 'A1', counted: 1 }] },
  'planogram.removeSlots': { codes: ['A1'] },
  'planogram.addTemplate': { slots: [aTemplateSlot] },
  'planogram.editTemplate': { version: 0, slots: [aTemplateSlot] },
  'planogram.previewTemplate': { machines: { filter: {}, count: null } },
  'planogram.applyTemplate': { version: 0, machines: { filter: {}, count: 0 } },
}

/** Operations that show what a merchant above made for all below it, by its name. */
const showsAbove: ReadonlySet<string> = new Set([
  'system.listDictionaryItems',
  'system.getDictionaryItem',
  'system.listMerchantItems',
  // People of a merchant may work in a hospital of one above.
  'people.getDoctorChoices',
  'pharmacy.getPractice',
  // Templates of the merchant above are there to be imported.
  'planogram.listParentTemplates',
  // A merchant sells what those above offer, too.
  'planogram.listPlaceable',
  'fleet.listPlaceable',
  'pickup.listContentProducts',
  'planogram.listTemplateProducts',
  // Merchants collect under numbers of those above, and by their accounts.
  'payment.listProviderChoices',
  // What merchants above have agreed holds for those below them.
  'settlement.listFeeRules',
  'settlement.getFeeRule',
  'payment.getCollection',
])

/** Operations on something that no row of the family has: in sight or not, it is not there. */
export const nothingThere: ReadonlySet<string> = new Set([
  'identity.endOwnSession',
  'system.acceptAgreement',
  'notice.clearPushSetting',
  // Named by the number of an order, which the matrix makes up (refund/people.test.ts asks for real ones).
  'refund.getRefundable',
  'refund.applyRefund',
  'planogram.importTemplates',
  'planogram.getTemplateRun',
  // Found by where and when it was sold, which the matrix makes up (wallboard/replay.test.ts asks for real ones).
  'wallboard.findSoldOrder',
])

const seenByMerchant: ReadonlySet<Relation> = new Set(['own', 'child'])

/** Whose names an asker may read anywhere in an answer. */
export function isNamed(asker: Asker, relation: Relation, operation = ''): boolean {
  if (asker === 'platform') return true
  if (relation === 'parent' && showsAbove.has(operation)) return true
  if (asker === 'ordinary' || asker === 'doctor') return relation === 'own'
  return seenByMerchant.has(relation)
}

export function isInSight(asker: Asker, noun: string, relation: Relation): boolean {
  const hangs = hangsOn[noun]
  if (!hangs) throw new Error(`testing/sightPolicy.ts does not say what rows of /api/${noun} hang on`)
  if (hangs === 'everybody') return true
  if (hangs === 'user') return false
  if (hangs === 'merchantOrAbove' && relation === 'parent') return true
  return asker === 'platform' || (hangs !== 'platform' && isNamed(asker, relation))
}

/** A field of the input that names a row. */
export type Subject = { field: string; noun: string; isList: boolean; isInPath: boolean }

/** @throws Error for an id whose noun nobody declared */
export function subjectsOf(endpoint: Endpoint): Subject[] {
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]): Subject[] => {
    if (inPath.has(field)) return [{ field, noun: endpoint.path.split('/')[2] ?? '', isList: false, isInPath: true }]
    const exact = `${endpoint.name}.${field}`
    if (!/(Id|Ids)$|^id$|^ids$/.test(field) && !(exact in fieldNouns)) return []
    const noun = fieldNouns[exact in fieldNouns ? exact : field]
    if (noun === undefined) throw new Error(`testing/sightPolicy.ts: of what is ${field} of ${endpoint.name}?`)
    if (noun === null) return []
    const isList = typeof inner === 'object' && /"array"/.test(JSON.stringify(inner))
    return [{ field, noun, isList, isInPath: false }]
  })
}
