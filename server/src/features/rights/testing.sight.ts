import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    roles: 'merchant',
    resources: 'platform',
  },
  fields: {
    roleId: 'roles',
    roleIds: 'roles',
  },
  rows: {
    roles: (db, { merchantId, mark }) =>
      inserted(db, sql`insert into role (merchant_id, name) values (${merchantId}, ${`${mark} role`})`),
    /** The platform's, like all of its kind: no merchant may touch one. */
    resources: (db, { merchantId }) =>
      inserted(
        db,
        sql`insert into external_resource (code, titles, url)
          values (${`ext.${lettersOf(merchantId)}`}, '{"en": "Other system"}', 'https://other.example/')`,
      ),
  },
}

/** A number as letters, for codes that take nothing else. */
const lettersOf = (n: number): string =>
  [...String(n).padStart(2, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')
