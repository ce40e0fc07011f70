import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'dictionary-items': 'merchantOrAbove',
    'dictionary-types': 'platform',
    'language-entries': 'platform',
    agreements: 'platform',
  },
  platformsAlone: {
    'system.listLanguageEntries': 'request.notPermitted',
    'system.exportLanguageEntries': 'request.notPermitted',
    'system.previewLanguageImport': 'request.notPermitted',
    'system.importLanguageEntries': 'request.notPermitted',
    'system.listAgreements': 'request.notPermitted',
    'system.createAgreement': 'request.notPermitted',
  },
  given: {
    'system.createDictionaryItem': { type: 'merchantTag' },
  },
  showsAbove: ['system.listDictionaryItems', 'system.getDictionaryItem', 'system.listMerchantItems'],
  nothingThere: ['system.acceptAgreement'],
  rows: {
    /** The platform's, like the types below: no merchant may touch one. */
    agreements: (db, { mark, at }) =>
      inserted(
        db,
        sql`insert into agreement (title_zh, body_zh, created_at) values (${`${mark} terms`}, ${mark}, ${at})`,
      ),
    'dictionary-types': (db, { merchantId }) =>
      inserted(db, sql`insert into dictionary_type (code, zh) values (${`type${lettersOf(merchantId)}`}, 'Type')`),
    'dictionary-items': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into dictionary_item (type_id, merchant_id, code, zh)
          select id, ${merchantId}, ${`code${merchantId}`}, ${`${mark} tag`} from dictionary_type
          where code = 'merchantTag'`,
      ),
    /** Texts of the product, by their place. */
    'language-entries': async () => 7,
  },
}

/** A number as letters, for codes that take nothing else. */
const lettersOf = (n: number): string =>
  [...String(n).padStart(2, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')
