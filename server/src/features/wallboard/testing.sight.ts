import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'display-keys': 'merchant',
  },
  fields: {
    'wallboard.doRegisterClient.userId': null,
  },
  nothingThere: [
    // Found by where and when it was sold, which the matrix makes up (wallboard/replay.test.ts asks for real ones).
    'wallboard.findSoldOrder',
  ],
  rows: {
    'display-keys': (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into display_key (key_hash, merchant_id, name, created_at)
          values (sha256(${`${mark} ${merchantId}`}::text::bytea), ${merchantId}, ${`${mark} hall`}, ${at})`,
      ),
  },
}
