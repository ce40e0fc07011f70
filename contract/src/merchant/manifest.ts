import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as bankAccountCalls from './bankAccount'
import * as integrationCalls from './integration'
import * as licenceCalls from './licence'
import * as merchantCalls from './merchant'

export const merchant: Manifest = {
  endpoints: endpointsIn([bankAccountCalls, integrationCalls, licenceCalls, merchantCalls]),
  exports: [
    exportable(merchantCalls.listMerchantTree, merchantCalls.merchantFields, 'merchant', 'shgl/wdsh'),
    exportable(licenceCalls.listLicences, licenceCalls.licence.fields, 'merchant', 'shgl/zjgl'),
    exportable(bankAccountCalls.listBankAccounts, bankAccountCalls.bankAccountFields, 'merchant', 'shgl/shzhxx'),
    exportable(integrationCalls.listIntegrations, integrationCalls.integrationFields, 'merchant', 'xtgl/dsfdjpz'),
  ],
}
