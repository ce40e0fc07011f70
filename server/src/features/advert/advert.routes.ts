import * as booking from '@aisle/contract/advert/booking'
import * as creative from '@aisle/contract/advert/creative'
import { listProof } from '@aisle/contract/advert/proof'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as bookings from './booking.commands'
import { detail } from './booking.detail'
import { listIn as listBookingsIn } from './booking.reads'
import * as creatives from './creative.commands'
import * as reads from './creative.reads'
import { listIn as listProofIn } from './proof.reads'
import * as uploads from './upload.commands'

export const routes: Route[] = [
  command(creative.beginUpload, uploads.begin),
  query(creative.sendPart, uploads.send),
  ...listOf(creative.listCreatives, reads.listIn),
  query(creative.getCreative, (ctx, { id }) => reads.detail(ctx, id)),
  query(creative.openCreative, (ctx, { id }) => reads.open(ctx, id)),
  command(creative.addCreative, creatives.add),
  command(creative.approveCreative, creatives.approve),
  command(creative.turnDownCreative, creatives.turnDown),
  command(creative.withdrawCreative, creatives.withdraw),
  ...listOf(booking.listBookings, listBookingsIn),
  query(booking.getBooking, (ctx, { id }) => detail(ctx, id)),
  query(booking.previewBooking, bookings.preview),
  command(booking.addBooking, bookings.add),
  command(booking.pauseBooking, bookings.pause),
  command(booking.resumeBooking, bookings.resume),
  command(booking.endBooking, bookings.end),
  ...listOf(listProof, listProofIn),
]
