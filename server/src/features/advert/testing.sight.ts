import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'advert-uploads': 'user',
    creatives: 'merchant',
    'advert-bookings': 'merchant',
    'advert-proof': 'merchant',
  },
  fields: {
    'advert.addCreative.uploadId': 'advert-uploads',
    'advert.addBooking.creativeIds': 'creatives',
    'advert.listProof.bookingId': 'advert-bookings',
    // advert.test.ts asks about those of others.
    'advert.previewBooking.creativeIds': null,
    'advert.previewBooking.machineIds': null,
    'advert.previewBooking.groupIds': null,
    'advert.previewBooking.pointIds': null,
    'advert.previewBooking.merchantIds': null,
    'advert.addBooking.machineIds': null,
    'advert.addBooking.groupIds': null,
    'advert.addBooking.pointIds': null,
    'advert.addBooking.merchantIds': null,
  },
  given: {
    'advert.addBooking': {
      startsOn: '2027-01-01',
      endsOn: '2027-01-31',
      fromHour: 8,
      toHour: 20,
      playsPerHour: 12,
      priceKind: 'play',
      priceFen: 10,
    },
    'advert.addCreative': { advertised: 'goods' },
  },
  rows: {
    'advert-uploads': async (db, { merchantId, idOf, at }) =>
      inserted(
        db,
        sql`insert into advert_upload (merchant_id, user_id, bytes, begun_at)
          values (${merchantId}, ${await idOf('users')}, 100, ${at})`,
      ),
    creatives: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into creative (merchant_id, name, media, sha256, bytes, seconds, width, height, advertised,
            created_at)
          values (${merchantId}, ${`${mark} picture`}, 'png', ${'a'.repeat(64)}, 100, 10, 10, 10, 'goods', ${at})`,
      ),
    'advert-bookings': async (db, { merchantId, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into advert_booking (merchant_id, name, advertiser, creative_ids, starts_on, ends_on, from_hour,
            to_hour, plays_per_hour, priority, price_kind, price_fen, created_at)
          values (${merchantId}, ${`${mark} booking`}, ${mark}, array[${await idOf('creatives')}::bigint],
            ${at}::date + 30, ${at}::date + 60, 8, 20, 12, 5, 'play', 10, ${at})`,
      ),
    'advert-proof': async (_, { idOf }) => idOf('advert-bookings'),
  },
}
