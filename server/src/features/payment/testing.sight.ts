import { sql } from 'kysely'
import { only } from '../../kernel/must'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'payment-services': 'platform',
    acquirers: 'everybody',
    'provider-accounts': 'merchant',
    'payment-accounts': 'merchant',
    collections: 'machine',
  },
  fields: {
    'payment.addProviderAccount.appId': null,
    // Everybody's; which protocol it speaks is asked beside it.
    'payment.addProviderAccount.acquirerId': null,
    'payment.editProviderAccount.appId': null,
    // Asked of the merchant that is to collect, who may stand below the account's (payment/account/account.test.ts).
    'payment.addPaymentAccount.providerAccountId': null,
  },
  platformsAlone: {
    'payment.addAcquirer': 'request.notFound',
    'payment.editAcquirer': 'request.notFound',
    'payment.removeAcquirer': 'request.notFound',
  },
  showsAbove: [
    // Merchants collect under numbers of those above, and by their accounts.
    'payment.listProviderChoices',
    'payment.getCollection',
  ],
  rows: {
    'payment-services': async (db) => {
      const found = await sql<{ id: number }>`select id from payment_service order by id limit 1`.execute(db)
      return only(found).id
    },
    acquirers: (db, { at }) =>
      inserted(
        db,
        sql`insert into acquirer (provider, name, created_at)
          select 'wechat', 'Bank ' || count(*), ${at} from acquirer`,
      ),
    'provider-accounts': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into provider_account (merchant_id, provider, name, token)
          values (${merchantId}, 'wechat', ${`${mark} numbers`}, ${`token-of-merchant-${merchantId}`})`,
      ),
    /** Two: one of them is removed by the walk before the list is turned. */
    'payment-accounts': async (db, { merchantId, mark, idOf }) =>
      inserted(
        db,
        sql`insert into payment_account (merchant_id, provider, provider_account_id, funds_mode, payment_title)
          select ${merchantId}, 'wechat', ${await idOf('provider-accounts')}, 'custody',
            ${mark} from generate_series(1, 2)`,
      ),
    collections: async (_, { machines }) => machines[0]?.id ?? 0,
  },
}
