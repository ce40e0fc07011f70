import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as benefitCalls from './benefit'
import * as cardApplicationCalls from './cardApplication'
import * as cardIssueCalls from './cardIssue'
import * as cardTransactionCalls from './cardTransaction'
import * as cardVerbCalls from './cardVerb'
import * as memberCalls from './member'
import * as memberCardCalls from './memberCard'
import * as memberImportCalls from './memberImport'
import * as memberRecordCalls from './memberRecord'
import * as memberUnitCalls from './memberUnit'

export const member: Manifest = {
  endpoints: endpointsIn([
    memberCalls,
    memberRecordCalls,
    memberImportCalls,
    memberUnitCalls,
    memberCardCalls,
    cardIssueCalls,
    cardVerbCalls,
    cardTransactionCalls,
    cardApplicationCalls,
    benefitCalls,
  ]),
  exports: [
    exportable(memberCalls.listMembers, memberCalls.memberFields, 'member', 'hygl/wdhy'),
    exportable(memberCardCalls.listCards, memberCardCalls.cardFields, 'member', 'hygl/wdhyk'),
    exportable(cardTransactionCalls.listTopUps, cardTransactionCalls.topUpFields, 'member', 'hygl/czmx'),
    exportable(cardTransactionCalls.listDeductions, cardTransactionCalls.deductionFields, 'member', 'hygl/kkmx'),
    exportable(cardApplicationCalls.listApplications, cardApplicationCalls.applicationFields, 'member', 'hygl/sqbk'),
    exportable(cardTransactionCalls.listCardLog, cardTransactionCalls.cardLogFields, 'member', 'hygl/hykrz'),
    exportable(benefitCalls.listTopUpGifts, benefitCalls.topUpGift.fields, 'member', 'hygl/yhsz'),
    exportable(benefitCalls.listCardDefaults, benefitCalls.cardDefault.fields, 'member', 'hygl/yhsz'),
  ],
}
