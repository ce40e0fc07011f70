import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    merchants: 'merchant',
    licences: 'merchant',
    'bank-accounts': 'merchant',
    integrations: 'machine',
  },
  fields: {
    merchantId: 'merchants',
    sellerId: 'merchants',
    fromMerchantId: 'merchants',
    ownerId: 'merchants',
    'merchant.createMerchant.parentId': 'merchants',
    'merchant.moveMerchant.parentId': 'merchants',
  },
  administratorsAlone: [
    'merchant.createMerchant',
    'merchant.editMerchant',
    'merchant.stopMerchant',
    'merchant.resumeMerchant',
    'merchant.moveMerchant',
    'merchant.deleteMerchant',
    'merchant.setServicePhone',
  ],
  rows: {
    merchants: async (_, { merchantId }) => merchantId,
    licences: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into licence (merchant_id, holder_kind, kind, number, holder, issued_by, valid_from, created_at)
          values (${merchantId}, 'merchant', 'business', ${`${mark} 1`}, ${`${mark} Ltd`}, ${`${mark} office`},
            '2020-01-01', ${at})`,
      ),
    'bank-accounts': addBankAccount,
    integrations: (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        // Two: one of them is removed by the walk before the list is turned.
        sql`insert into integration_config (merchant_id, machine_id, parent_class, child_class, interface_type,
            path, contract_number, created_at)
          select ${merchantId}, ${machines[0]?.id}, 'erp', class, 'push', 'https://erp.example.com/', ${mark}, ${at}
          from unnest(array['order_sync', 'stock_sync']) as class`,
      ),
  },
}

/** A draft without numbers: they are sealed by the server alone. */
async function addBankAccount(db: Reader, { merchantId, mark, idOf, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into bank_account (merchant_id, holder_kind, holder, bank, bank_city, branch, bank_full_name, short_name,
        store_name, province, city, street, business_type, contact, contact_phone, document_kind, account_tail,
        document_tail, authors, created_at)
      values (${merchantId}, 'company', ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark},
        ${mark}, ${mark}, ${mark}, '057188886666', 'business_licence', '1234', '5678',
          array[${await idOf('users')}::bigint],
        ${at})`,
  )
}
